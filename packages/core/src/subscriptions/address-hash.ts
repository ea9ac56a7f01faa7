import type { Digests } from '../ports/digests.ts'

/** An address as a keyed hash: tells nothing without the instance's secret, and outlives an erasure. */
export type AddressHash = string & { readonly __brand: 'AddressHash' }

export const addressHash = (digests: Digests, addressKey: string): AddressHash =>
  digests.hmac('address', addressKey).slice(0, 32) as AddressHash
