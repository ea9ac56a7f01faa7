import type { Instant } from '../instant.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId, SubscriptionIdentity } from '../subscriptions/subscription-id.ts'

/** The id that an identity has, or will have, and the subscription if there is one. */
export interface Located {
  readonly id: SubscriptionId
  readonly subscription: Subscription | undefined
}

export interface SubscriptionReader {
  find(id: SubscriptionId): Promise<Subscription | undefined>
}

export interface SubscriptionStore extends SubscriptionReader {
  /**
   * Finds the subscription of this feed and address, and its id: the first of the identity's candidates that no other
   * identity's subscription has. An identity that had to give way is remembered when it is stored, so that it keeps
   * its id whatever becomes of the other, or of its own subscription.
   */
  locate(identity: SubscriptionIdentity): Promise<Located>
  /**
   * Stores the subscription under its id; replaces the one with the same id, which keeps its place in lists.
   * A new one must have the id that `locate` gave within this unit.
   */
  put(subscription: Subscription): Promise<void>
  /** Removes the subscription and its consent records and kept mails; nothing where there is none. */
  erase(id: SubscriptionId): Promise<void>
  /** Up to `limit` pending subscriptions whose `expiresAt` is at or before `now`, soonest first. */
  expired(now: Instant, limit: number): Promise<readonly Subscription[]>
}
