import type { Relay } from './relay-address.ts'

/** Of an address: what a relay may repeat in its answer. */
export const partsOf = (address: string): readonly string[] => {
  const at = address.lastIndexOf('@')
  return [address, address.slice(0, at), address.slice(at + 1)]
}

/** Of a relay: what nobody may read in a log. */
export const secretsOf = ({ credentials }: Relay): readonly string[] => {
  if (!credentials) return []
  const { user, pass } = credentials
  const encoded = [user, pass, `\0${user}\0${pass}`].map((text) => Buffer.from(text).toString('base64'))
  return [user, pass, ...encoded]
}
