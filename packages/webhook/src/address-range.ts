import { isIP } from 'node:net'

/** Addresses that begin alike, as `10.0.0.0/8`; a lone address is a range of one. */
export interface AddressRange {
  readonly network: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

const RANGE = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i

/** The range that a text stands for; undefined where it stands for none. */
export const parseAddressRange = (text: string): AddressRange | undefined => {
  const [, network = '', length] = RANGE.exec(text) ?? []
  const version = isIP(network)
  if (version === 0) return undefined
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  return prefix <= bits ? { network, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined
}
