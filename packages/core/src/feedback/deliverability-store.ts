import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { HashPrefixes } from '../recipients/hash-filter.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'

export const DELIVERABILITY_STATES = ['failing', 'undeliverable'] as const

/** Mails to a failing address came back of late; to an undeliverable one none is sent. Any other address is in order. */
export type DeliverabilityState = (typeof DELIVERABILITY_STATES)[number]

/** What became of mails to an address. It says nothing about consent. */
export interface Deliverability {
  readonly state: DeliverabilityState
  /** Since when it is in this state. */
  readonly since: Instant
  /** The last enhanced status code (RFC 3463) that was reported, if there was one. */
  readonly status: string | undefined
  /** The days, counted from 1970 in UTC, of failures that were not final: each once, in order. */
  readonly days: readonly number[]
  /** When it is forgotten. */
  readonly expiresAt: Instant
}

export interface DeliverabilityRecord extends Deliverability {
  readonly address: AddressHash
}

export interface DeliverabilityReader {
  find(address: AddressHash): Promise<Deliverability | undefined>
  /** What is known of the addresses, without those that are in order. */
  findMany(addresses: readonly AddressHash[]): Promise<ReadonlyMap<AddressHash, Deliverability>>
  /** Of those that are undeliverable, in the order of the list, some thousands at a time; from 0 on. */
  undeliverablePrefixes(after: number): Promise<HashPrefixes<number>>
  /** In the order in which they first failed. */
  list(stretch: Stretch & { readonly state?: DeliverabilityState | undefined }): Promise<Page<DeliverabilityRecord>>
}

/**
 * Addresses to which mails cannot be delivered, known by keyed hash only: that of the address itself and not of its
 * mailbox, for a server that knows no plus tags refuses `ada+news@` and takes `ada@`.
 */
export interface DeliverabilityStore extends DeliverabilityReader {
  /** Replaces what was known of the address, which keeps its place in the list. */
  put(address: AddressHash, deliverability: Deliverability): Promise<void>
  /** Does nothing if nothing is known of it. */
  erase(address: AddressHash): Promise<void>
  /** Up to `limit` addresses that expire before `before`, the soonest first. */
  expired(before: Instant, limit: number): Promise<readonly DeliverabilityRecord[]>
}
