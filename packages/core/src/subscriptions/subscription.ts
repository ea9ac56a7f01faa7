import type { Person } from '../audit/reason.ts'
import type { FeedName } from '../feeds/feed.ts'
import type { FieldValues } from '../feeds/feed-fields.ts'
import type { Instant } from '../instant.ts'
import type { DirectedStretch, Page, Stretch } from '../page.ts'
import { parseOneOf } from '../text.ts'
import type { ConsentRecord } from './consent.ts'
import type { AddressHash } from './email-address.ts'
import type { SubscriptionId, SubscriptionIdentity } from './subscription-id.ts'

export type SubscriptionStatus = 'pending' | 'confirmed' | 'ended'

/** Ties one e-mail address to one feed. */
export interface Subscription {
  readonly id: SubscriptionId
  readonly feed: FeedName
  /** As the form that began this life of the subscription gave it, in the spelling that goes on the wire. */
  readonly email: string
  readonly addressKey: string
  /** What mails, caps and suppressions know the address by. */
  readonly address: AddressHash
  readonly name: string
  readonly locale: string | undefined
  readonly status: SubscriptionStatus
  /** Random; drawn again when it becomes pending and when it ends. Links of another episode are superseded. */
  readonly episode: string
  readonly createdAt: Instant
  readonly confirmedAt: Instant | undefined
  readonly endedAt: Instant | undefined
  /** While pending: when its links expire, and it is removed with all its data, or ends again if it had ended. */
  readonly expiresAt: Instant | undefined
  /** The id of the last mail that was queued; long gone from the outbox if it was sent. */
  readonly lastMail: number | undefined
  /** Likewise of the last mail with the link to the preferences of its owner, who asked for it. */
  readonly preferencesMail?: number | undefined
  /** If it ended by a change of address: what it has become. Never stored with it; see `withMoves`. */
  readonly movedTo?: SubscriptionId | undefined
  /** The values of the feed's fields, at least one; undefined if there is none. */
  readonly fields?: FieldValues | undefined
}

/** What a subscription begins with: all but its status and what follows from it. */
export type SubscriptionBeginning = Omit<Subscription, 'status' | 'confirmedAt' | 'endedAt' | 'expiresAt'>

// These three alone write a status.

/** New, ended or expired -> pending, until its links expire. */
export const asPending = (beginning: SubscriptionBeginning, expiresAt: Instant): Subscription => ({
  ...beginning,
  status: 'pending',
  confirmedAt: undefined,
  endedAt: undefined,
  expiresAt,
})

/** Pending or ended -> confirmed. */
export const asConfirmed = (current: Subscription, at: Instant): Subscription => ({
  ...current,
  status: 'confirmed',
  confirmedAt: at,
  endedAt: undefined,
  expiresAt: undefined,
})

/** Pending or confirmed -> ended. No link of the episode before is valid any longer. */
export const asEnded = (current: Subscription, at: Instant, episode: string): Subscription => ({
  ...current,
  status: 'ended',
  episode,
  endedAt: at,
  expiresAt: undefined,
})

/** A pending one whose links have expired counts as missing, even before it is swept. */
export const isExpired = ({ status, expiresAt }: Subscription, now: Instant): boolean =>
  status === 'pending' && expiresAt !== undefined && expiresAt <= now

export const SUBSCRIPTION_STATUSES = ['pending', 'confirmed', 'ended'] as const satisfies readonly SubscriptionStatus[]

/**
 * A status, or undefined if none was given.
 * @throws {InvalidInput} there is no such status
 */
export const parseStatus = (text: string | undefined): SubscriptionStatus | undefined =>
  text === undefined ? undefined : parseOneOf('status', text, SUBSCRIPTION_STATUSES)

/** Whose subscription it is, as far as no reason must say so. */
export const ownerOf = ({ name, email, addressKey }: Subscription): Person => ({
  whose: "the owner's",
  name,
  addresses: [email, addressKey],
})

/** The id that an identity has, or will have, and the subscription if there is one. */
export interface Located {
  readonly id: SubscriptionId
  readonly subscription: Subscription | undefined
}

export interface SubscriptionFilter extends DirectedStretch {
  readonly feed?: FeedName | undefined
  readonly status?: SubscriptionStatus | undefined
  readonly address?: AddressHash | undefined
  /** Each is the beginning of one of its terms (`search-terms.ts`). */
  readonly words?: readonly string[] | undefined
}

/** A subscription with its consent ledger. */
export interface Evidence {
  readonly subscription: Subscription
  /** In the order in which they were appended. */
  readonly consents: readonly ConsentRecord[]
}

/** What is read of millions at once. */
export type Recipient = Pick<Subscription, 'id' | 'email' | 'addressKey' | 'name' | 'locale' | 'fields' | 'confirmedAt'>

export interface SubscriptionReader {
  find(id: SubscriptionId): Promise<Subscription | undefined>
  /** Those of these that exist, in any order. */
  findMany(ids: readonly SubscriptionId[]): Promise<readonly Subscription[]>
  /** Every one of an address, oldest first. In a unit of work no other adds one, or changes one, until that ends. */
  ofAddress(address: AddressHash): Promise<readonly Subscription[]>
  /** As `find`, with its consent records. */
  findEvidence(id: SubscriptionId): Promise<Evidence | undefined>
  /**
   * Finds the subscription of this feed and address, and its id: the first of the identity's candidates that no other
   * identity's subscription has.
   */
  locate(identity: SubscriptionIdentity): Promise<Located>
  /** The ids of all identities that had to give way to others, by their fingerprints: next to none. */
  displaced(): Promise<ReadonlyMap<string, SubscriptionId>>
  /** The same cost wherever the page begins, in either direction, and whichever filter is set. */
  list(filter: SubscriptionFilter): Promise<Page<Subscription>>
  /** The confirmed ones of a feed as `list` has them, but only what a sender gets of them. */
  recipients(of: Stretch & { readonly feed: FeedName }): Promise<Page<Recipient>>
  /** As `list`, each with its consent records. */
  listEvidence(filter: SubscriptionFilter): Promise<Page<Evidence>>
}

export interface SubscriptionStore extends SubscriptionReader {
  /**
   * As a reader does; and an identity that had to give way is remembered when it is stored, so that it keeps its id
   * whatever becomes of the other, or of its own subscription.
   */
  locate(identity: SubscriptionIdentity): Promise<Located>
  /** The same of several, in their order; no two of them are given the same id. */
  locateMany(identities: readonly SubscriptionIdentity[]): Promise<readonly Located[]>
  /**
   * Stores the subscriptions, each with another id; replaces the one with the same id, which keeps its place in lists.
   * A new one must have the id that `locate` gave within this unit.
   */
  put(...subscriptions: Subscription[]): Promise<void>
  /** Removes the subscription and its consent records and kept mails; does nothing if there is no such subscription. */
  erase(id: SubscriptionId): Promise<void>
  /** Up to `limit` pending subscriptions whose `expiresAt` is at or before `now`, soonest first. */
  expired(now: Instant, limit: number): Promise<readonly Subscription[]>
}
