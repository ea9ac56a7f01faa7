import type { Digests } from '../platform/digests.ts'

/** An address as a keyed hash: reveals nothing without the instance's secret, and outlives an erasure. */
export type AddressHash = string & { readonly __brand: 'AddressHash' }

export const addressHash = (digests: Digests, addressKey: string): AddressHash =>
  digests.hmac('address', addressKey).slice(0, 32) as AddressHash

const HASH = /^[0-9a-f]{32}$/

/** The text as the hash of an address, or undefined if it cannot be one. */
export const asAddressHash = (text: string): AddressHash | undefined =>
  HASH.test(text) ? (text as AddressHash) : undefined
