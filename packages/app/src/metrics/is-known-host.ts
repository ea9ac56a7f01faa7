import { isIP } from 'node:net'

const HOST = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::\d*)?$/

/**
 * Whether a request is for this service by an address, as `localhost`, or by its configured name. A page that has its
 * own name point here (DNS rebinding) sends that name, and the browser would let it read the answer.
 */
export const isKnownHost = (header: string | undefined, configured: string): boolean => {
  const [, literal, name = ''] = HOST.exec(header ?? '') ?? []
  if (literal !== undefined) return isIP(literal) === 6
  return isIP(name) === 4 || ['localhost', configured.toLowerCase()].includes(name.toLowerCase())
}
