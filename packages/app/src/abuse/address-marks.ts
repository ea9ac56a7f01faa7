import { type Digests, type DomainNames, InvalidInput, parseEmailAddress } from '@rollcall/core'

/** An address as limits count it, by a keyed hash that differs for each network; undefined if it is not an address. */
export type AddressMarks = (network: string, email: string) => string | undefined

export const addressMarks =
  (digests: Digests, domainNames: DomainNames): AddressMarks =>
  (network, email) => {
    try {
      const { key } = parseEmailAddress(email, domainNames)
      return digests.hmac('network', `${network} ${key}`).slice(0, 32)
    } catch (error) {
      if (error instanceof InvalidInput) return undefined
      throw error
    }
  }

/** How many different addresses a network may name within an hour. */
export const MOST_ADDRESSES = 60
export const ADDRESS_WINDOW = 3_600_000
