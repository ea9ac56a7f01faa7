import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { SignUpGroup } from '../sign-up/sign-up-group-store.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

export type OutboxId = QueueEntry['id']

/**
 * `reminder`: once more what a confirmation asked; it is not owed. `welcome`: after a confirmation. `move`: to a new address, that it is to confirm; `moved`:
 * to the old one, that it was done.
 */
export type MailKind = (typeof MAIL_KINDS)[number]
export const MAIL_KINDS = [
  'confirmation',
  'reminder',
  'already-subscribed',
  'welcome',
  'preferences',
  'move',
  'moved',
] as const

/** Whether it asks its reader to confirm. */
export const asksToConfirm = (kind: MailKind): boolean => kind === 'confirmation' || kind === 'reminder'

/** What a queued mail and a queued event have in common. */
export interface QueueEntry {
  /** Given by the store. */
  readonly id: number
  /** Since when it is queued. */
  readonly createdAt: Instant
  readonly notBefore: Instant
  /** How often it was tried, counted before each try. */
  readonly attempts: number
  /** Why the last try failed; contains no address. */
  readonly lastError: string | undefined
  /** Since when it waits for a person. */
  readonly parkedAt: Instant | undefined
}

/** A mail to be sent, stored together with the change that caused it. */
export interface PendingMail extends Pick<QueueEntry, 'createdAt' | 'notBefore'> {
  readonly kind: MailKind
  readonly subscriptionId: SubscriptionId
  readonly address: AddressHash
  /** The Message-ID without its brackets; a retry is the same message. */
  readonly messageId: string
  /** When it is no longer useful to its reader. */
  readonly expiresAt: Instant | undefined
  /** Set if it is about several feeds of one form; `subscriptionId` is one of them. */
  readonly signUpGroup?: SignUpGroup | undefined
  /** The trace that it belongs to, as a `traceparent` (W3C Trace Context); of whatever adds it, never of the core. */
  readonly traceContext?: string | undefined
}

export interface OutboxEntry extends PendingMail, QueueEntry {}

/** The worker that holds an entry and for how long it does so alone; the clock is the store's. */
export interface Claim {
  /** Unique to one worker of one process. */
  readonly owner: string
  readonly limit: number
  /** Milliseconds. */
  readonly leaseFor: number
}

export interface OutboxHealth {
  /** Some entry waits for manual action. */
  readonly parked: boolean
  /** Since when the longest-waiting entry that is due and unclaimed has been due. */
  readonly dueSince: Instant | undefined
}

export interface OutboxDepth {
  /** Due, or to be due later; claimed ones among them. */
  readonly waiting: number
  readonly parked: number
}

export interface OutboxReader {
  find(id: OutboxId): Promise<OutboxEntry | undefined>
  /** Those of these that are there, in any order. */
  findMany(ids: readonly OutboxId[]): Promise<readonly OutboxEntry[]>
  list(stretch: Stretch & { readonly parked?: boolean | undefined }): Promise<Page<OutboxEntry>>
  /** @throws {Unavailable} nothing can be written: the disk is full, say, or the database is a standby */
  health(): Promise<OutboxHealth>
  depth(): Promise<OutboxDepth>
  /** How many are leased: a worker that lives, or died a moment ago, has them in hand. */
  underWay(): Promise<number>
}

/** Leased entries of a queue: mails, or events for webhooks. */
export interface LeasedEntries {
  /** Prolongs every lease that the owner still holds. */
  renew(owner: string, leaseFor: number): Promise<void>
  /** Gives back the leases of those of these that the owner still holds. */
  giveBack(owner: string, entries: readonly GivenBack[]): Promise<void>
  /**
   * Makes a parked or waiting entry due at once and forgets its attempts; whether there is such an entry. Leases
   * stay as they are.
   */
  retry(id: OutboxId): Promise<boolean>
}

/** Mails to be sent. An entry leaves only when it is settled or what it is about is erased. */
export interface OutboxStore extends OutboxReader, LeasedEntries {
  /** The new id is larger than any before it, even than those of entries that are gone. */
  add(mail: PendingMail): Promise<OutboxId>
  /** The same of several, in their order. */
  addMany(mails: readonly PendingMail[]): Promise<readonly OutboxId[]>
  /** Whatever their state, and whoever holds them; nothing of those that are gone. */
  remove(...ids: OutboxId[]): Promise<void>
  /** Says of which subscription it is from now on; nothing if it is gone. */
  reassign(id: OutboxId, subscriptionId: SubscriptionId): Promise<void>
  /**
   * Leases up to `limit` entries that are due, not parked and not leased by another, longest due first, and counts
   * the attempt. An entry whose lease has run out is due again; but not for its owner, which still works on it: a
   * clock that jumps causes no duplicate.
   */
  claim(claim: Claim): Promise<readonly OutboxEntry[]>
  /**
   * Makes due at once what is not parked and waits for more than this many milliseconds; how many. Leases stay as
   * they are.
   */
  reschedule(beyond: number): Promise<number>
}

export interface GivenBack {
  readonly id: OutboxId
  /** When it is due again; undefined: it waits for a person. */
  readonly notBefore: Instant | undefined
  /** If not, the attempt that the claim counted is not counted. */
  readonly attempted: boolean
  /** Why it failed; otherwise what it failed of before is kept. */
  readonly error?: string | undefined
}

/** Which mails a transport that keeps its mails (files) still has of a subscription. */
export interface KeptMailStore {
  /** Adding one that is there already changes nothing: a mail may be sent twice. */
  add(id: SubscriptionId, messageId: string): Promise<void>
  list(id: SubscriptionId): Promise<readonly string[]>
}
