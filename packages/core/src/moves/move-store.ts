import type { Instant } from '../instant.ts'
import type { OutboxId } from '../outbox/outbox-store.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** A change of address that was asked for or, for as long as it can be undone, was carried out. */
export interface AddressMove {
  /** The subscription of the old address that its mails are about. */
  readonly id: SubscriptionId
  /** The old address; it has one move at a time. */
  readonly address: AddressHash
  readonly newAddress: AddressHash
  /** The new address and its key; undefined once it is carried out, when they are of no more use. */
  readonly email: string | undefined
  readonly addressKey: string | undefined
  /** Random: its links are good for this move alone. */
  readonly episode: string
  readonly requestedAt: Instant
  readonly movedAt: Instant | undefined
  readonly undoneAt: Instant | undefined
  /** Until when it can be carried out; once it was, until when it can be undone. */
  readonly expiresAt: Instant
  /** The last mail that was queued for it. */
  readonly mail: OutboxId | undefined
}

/** A subscription of an old address, and the one that a move made of it. */
export interface MovedSubscription {
  readonly oldId: SubscriptionId
  readonly newId: SubscriptionId
  /** Of the old one since it ended by the move: with another it has begun a life of its own. */
  readonly episode: string
  /** Of the new one since the move confirmed it; undefined if it was confirmed before. Gone with `move`. */
  readonly newEpisode: string | undefined
  /** While it can be undone. */
  readonly move: SubscriptionId | undefined
}

export interface MoveReader {
  find(id: SubscriptionId): Promise<AddressMove | undefined>
  /** The move of this old address. */
  ofAddress(address: AddressHash): Promise<AddressMove | undefined>
  /**
   * Of those moves to this address that were carried out, and not undone, the one that can be undone for the longest.
   */
  toAddress(address: AddressHash): Promise<AddressMove | undefined>
  /** Up to `limit` moves to this address that were asked for and not carried out, those that expire first, first. */
  askedOf(address: AddressHash, limit: number): Promise<readonly AddressMove[]>
  /** What became of these old subscriptions, as far as they were moved. */
  movedFrom(oldIds: readonly SubscriptionId[]): Promise<readonly MovedSubscription[]>
  /** What this new subscription was made of. */
  movedTo(newId: SubscriptionId): Promise<readonly MovedSubscription[]>
  /** All of a move that can still be undone. */
  ofMove(move: SubscriptionId): Promise<readonly MovedSubscription[]>
}

/** Changes of address. Once one can no longer be undone, only old id and new id are kept. */
export interface MoveStore extends MoveReader {
  /** Replaces the one with the same id. */
  put(move: AddressMove): Promise<void>
  remove(id: SubscriptionId): Promise<void>
  /** Up to `limit` moves whose `expiresAt` is at or before `now`, soonest first. */
  over(now: Instant, limit: number): Promise<readonly AddressMove[]>
  /** Replaces what the old one became before. */
  link(moved: MovedSubscription): Promise<void>
  /** Forgets what the old one became. */
  unlink(oldId: SubscriptionId): Promise<void>
  /** Whether anything here names this subscription. */
  touches(id: SubscriptionId): Promise<boolean>
}
