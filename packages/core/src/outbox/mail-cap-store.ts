import type { Instant } from '../instant.ts'
import type { AddressHash } from '../subscriptions/address-hash.ts'
import type { MailSlot } from './mail-cap.ts'

/** The times of recent mails to an address, which is known by keyed hash only; over all feeds and all instances. */
export interface MailCapStore {
  /** Empty for an unknown address. */
  slots(address: AddressHash): Promise<readonly MailSlot[]>
  /** Replaces what was known of the address; their order is kept. */
  put(address: AddressHash, slots: readonly MailSlot[]): Promise<void>
  /** Forgets up to `limit` addresses whose last slot is before `before`; says how many it forgot. */
  prune(before: Instant, limit: number): Promise<number>
}
