import type { Channel } from '../access/caller.ts'
import type { FeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

export type FeedbackKind = 'bounce' | 'complaint'

/** Feedback about one address that waits until an administrator accepts or drops it. */
export interface WaitingFeedback {
  /** Who reported it, by the caller's id. */
  readonly caller: string
  readonly channel: Channel
  /** The only feeds that exist for that caller, if it is bound to feeds. */
  readonly feeds: readonly FeedName[] | undefined
  readonly kind: FeedbackKind
  readonly address: AddressHash
  readonly mailbox: AddressHash
  /** One of the subscriptions of the address, if there was one; the others are found by it. */
  readonly subscription: SubscriptionId | undefined
  readonly permanent: boolean
  readonly status: string | undefined
  /** When the bounce or complaint came about. */
  readonly at: Instant
  /** Since when it waits. */
  readonly since: Instant
}

export type WaitingFeedbackId = number

export interface WaitingFeedbackRecord extends WaitingFeedback {
  /** Given by the store: its place in the list. */
  readonly id: WaitingFeedbackId
}

export interface FeedbackReader {
  /** What waits, the oldest first. */
  list(stretch: Stretch): Promise<Page<WaitingFeedbackRecord>>
  /** All that waits about an address, the oldest first. */
  ofAddress(address: AddressHash): Promise<readonly WaitingFeedbackRecord[]>
  find(id: WaitingFeedbackId): Promise<WaitingFeedbackRecord | undefined>
  /** How many addresses the feedback of this caller changed on this day. */
  counted(caller: string, day: number): Promise<number>
}

/** What is kept of feedback beside its effect: what was reported already, how much in a day, and what waits. */
export interface FeedbackStore extends FeedbackReader {
  /** Whether this id is seen for the first time; it is remembered until then. */
  see(id: string, expiresAt: Instant): Promise<boolean>
  /** Adds to how many addresses the feedback of this caller changed on this day. */
  count(caller: string, day: number, addresses: number): Promise<void>
  /** Nothing if the same caller's report of this kind on this address waits already. */
  add(waiting: WaitingFeedback): Promise<void>
  /** Whether it waited. */
  remove(id: WaitingFeedbackId): Promise<boolean>
  /** Has all that waits about an address name this subscription of it. */
  nameFor(address: AddressHash, subscription: SubscriptionId): Promise<void>
  removeOf(address: AddressHash): Promise<void>
  /** Removes the bounces that wait about these addresses. */
  removeBounces(addresses: readonly AddressHash[]): Promise<void>
  /** Forgets up to `limit` ids that were to be remembered until before `before`; says how many it forgot. */
  pruneSeen(before: Instant, limit: number): Promise<number>
  /** Forgets up to `limit` counts of days before this one; says how many it forgot. */
  pruneCounts(day: number, limit: number): Promise<number>
  /** Removes up to `limit` that wait since before `before`; says how many it removed. */
  pruneWaiting(before: Instant, limit: number): Promise<number>
}
