import type { LookupAddress, LookupOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

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

/** An address that no webhook may be sent to; `message` says what to do. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed'
  readonly code = 'ADDRESS_NOT_ALLOWED'

  constructor() {
    super('The host has no address that events may be sent to: it must be public, or among those that are allowed.')
  }
}

/**
 * What is not for the whole world to reach, by the registries of special-purpose addresses; and the one public address
 * under which a cloud shows its metadata (Azure).
 * @see RFC 6890
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * All that is given out for the world to reach. Whatever holds an IPv4 address (mapped, NAT64 and its local prefix) is
 * outside of it, or among the exceptions.
 * @see https://www.iana.org/assignments/ipv6-unicast-address-assignments
 */
const PUBLIC_IPV6 = ['2000::/3']

/** Teredo and other protocols' own, documentation, 6to4, AS 112. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

/** Which addresses messages may be sent to: public ones, and those that are allowed besides. */
export class ReachableAddresses {
  readonly #allowed: BlockList
  readonly #notPublic = listOf(rangesIn([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV6]))
  readonly #publicIpv6 = listOf(rangesIn(PUBLIC_IPV6))
  /** Whether any are allowed that are not public. */
  readonly anyAllowed: boolean

  constructor(allowed: readonly AddressRange[]) {
    this.#allowed = listOf(allowed)
    this.anyAllowed = allowed.length > 0
  }

  /** Whether the operator allows it: then a message may go there without encryption, too. */
  isAllowed(address: string): boolean {
    return has(this.#allowed, address)
  }

  isReachable(address: string): boolean {
    if (this.isAllowed(address)) return true
    if (has(this.#notPublic, address)) return false
    return isIP(address) === 4 || has(this.#publicIpv6, address)
  }
}

const rangesIn = (texts: readonly string[]): AddressRange[] => texts.flatMap((text) => parseAddressRange(text) ?? [])

const listOf = (ranges: readonly AddressRange[]): BlockList => {
  const list = new BlockList()
  for (const { network, prefix, family } of ranges) list.addSubnet(network, prefix, family)
  return list
}

/** False for what is not an address, or has a zone: no public address has one. */
const has = (list: BlockList, address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && !address.includes('%') && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Asks for every address of a host. */
export type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Finds the addresses of a host for the connection that is just being made, and leaves out those that must not be
 * reached: so it does not matter what the name stood for a moment before.
 */
export const guardedLookup =
  (resolve: Resolve, mayReach: (address: string) => boolean): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const addresses = found.filter(({ address }) => mayReach(address))
      const [first] = addresses
      if (first === undefined) return callback(new AddressNotAllowed(), [])
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
