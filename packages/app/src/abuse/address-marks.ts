import { asEmailAddress, type Digests, type DomainNames } from '@rollcall/core'
import type { RateLimit } from './rate-limit.ts'

/** An address as limits count it, by a keyed hash that differs for each network; undefined if it is not an address. */
export type AddressMarks = (network: string, email: string) => string | undefined

export const addressMarks =
  (digests: Digests, domainNames: DomainNames): AddressMarks =>
  (network, email) => {
    const address = asEmailAddress(email, domainNames)
    return address && digests.hmac('network', `${network} ${address.key}`).slice(0, 32)
  }

export const ADDRESS_WINDOW = 3_600_000
const LEAST_ADDRESSES = 60
const REQUESTS_PER_ADDRESS = 20

/**
 * How many different addresses a network may name within an hour: a twentieth of the requests that the limit lets one
 * client send in that time, and at least 60. So it grows where somebody raises the limit, for a server of theirs that
 * sends the forms of all visitors.
 */
export const mostAddresses = ({ quota, window }: RateLimit): number =>
  Math.max(LEAST_ADDRESSES, Math.floor((quota * ADDRESS_WINDOW) / window / REQUESTS_PER_ADDRESS))
