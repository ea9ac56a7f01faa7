import { isIPv6 } from 'node:net'

const NAMED = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i
const IN_BRACKETS = /^\[(?:([\d.:a-f]+)|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\](?::\d*)?$/i

/**
 * Whether the value of a Host field is valid: a name, an address or nothing, and optionally a port.
 * @see RFC 9112 section 3.2, and RFC 3986 section 3.2.2
 */
export const isHost = (value: string): boolean => {
  if (!value.startsWith('[')) return NAMED.test(value)
  const literal = IN_BRACKETS.exec(value)
  return literal !== null && (literal[1] === undefined || isIPv6(literal[1]))
}
