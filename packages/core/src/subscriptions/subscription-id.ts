import type { FeedName } from '../feeds/feed.ts'
import type { Digests } from '../platform/digests.ts'

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
