import { isIPv4 } from 'node:net'

const LOCALHOST = /^(?:.+\.)?localhost$/i

/**
 * Whether a host, as a name or an address, with or without the brackets of a URL, is this machine alone.
 * @see RFC 6761 section 6.3 for the names
 */
export const isLoopback = (host: string): boolean => {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  return LOCALHOST.test(name) || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}
