import type { Instant } from '../instant.ts'
import type { AddressHash } from '../subscriptions/address-hash.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** Given by the store. */
export type OutboxId = number

export type MailKind = 'confirmation' | 'already-subscribed' | 'preferences'

/** A mail to be sent, stored together with the change that caused it. */
export interface PendingMail {
  readonly kind: MailKind
  readonly subscriptionId: SubscriptionId
  readonly address: AddressHash
  /** The Message-ID without its brackets; a retry is the same message. */
  readonly messageId: string
  readonly createdAt: Instant
  readonly notBefore: Instant
  /** When it is no longer useful to its reader. */
  readonly expiresAt: Instant | undefined
}

export interface OutboxEntry extends PendingMail {
  readonly id: OutboxId
  /** How often it was tried, counted before each try. */
  readonly attempts: number
  /** Why the last try failed; contains no address. */
  readonly lastError: string | undefined
  /** Since when it waits for a person. */
  readonly parkedAt: Instant | undefined
}
