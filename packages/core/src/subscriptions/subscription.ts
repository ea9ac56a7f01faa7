import type { Person } from '../audit/reason.ts'
import type { FeedName } from '../feeds/feed.ts'
import type { FieldValues } from '../feeds/feed-fields.ts'
import type { Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'
import { parseOneOf } from '../text.ts'
import type { AddressHash } from './email-address.ts'

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
  /** While pending: when its links expire, and it is removed with all its data. */
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

/** 1..2^53-1: a keyed hash of feed and address. Reveals nothing, grants nothing. */
export type SubscriptionId = number

/** The identity of a subscription, existing or not: a feed and an address. */
export interface SubscriptionIdentity {
  readonly feed: FeedName
  readonly addressKey: string
  /** Distinguishes identities without containing their data; hexadecimal. */
  readonly fingerprint: string
  /** The ids it may have, in order of preference. */
  candidate(counter: number): SubscriptionId
}

const HIGH_BITS = 2 ** 21 - 1
const LOW_RANGE = 2 ** 32

const idFrom = (hash: string): SubscriptionId =>
  (Number.parseInt(hash.slice(0, 6), 16) & HIGH_BITS) * LOW_RANGE + Number.parseInt(hash.slice(6, 14), 16) || 1

export const subscriptionIdentity = (digests: Digests, feed: FeedName, addressKey: string): SubscriptionIdentity => {
  const hash = digests.hmac('subscription-id', `${feed} ${addressKey}`)
  return {
    feed,
    addressKey,
    fingerprint: hash.slice(32),
    candidate: (counter) =>
      idFrom(counter === 0 ? hash : digests.hmac('subscription-id', `${feed} ${addressKey} ${counter}`)),
  }
}

/** The number in a path or a command, or undefined if it can never be an id. */
export const asSubscriptionId = (text: string): SubscriptionId | undefined => {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined
}

/**
 * The same as `${id}`, but leaves no garbage behind: of that, V8 caches the text of each number where only a full
 * collection finds it. A list of a million recipients would need six of them, each of which stops every request.
 */
export const idInDecimal = (id: SubscriptionId): string => id.toFixed()

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
