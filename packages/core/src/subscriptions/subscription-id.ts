import type { Digests } from '../platform/digests.ts'
import type { FeedName } from './feed.ts'

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

/** The number in a path or a command, or undefined where it can never be an id. */
export const asSubscriptionId = (text: string): SubscriptionId | undefined => {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined
}

const FIVE_DIGITS = 36 ** 5

/** The same as `id.toString(36)`, in a fifth of the time: that is slow for numbers of more than 31 bits. */
export const idInBase36 = (id: SubscriptionId): string => {
  const low = id % FIVE_DIGITS
  const high = (id - low) / FIVE_DIGITS
  return high === 0 ? low.toString(36) : `${idInBase36(high)}${low.toString(36).padStart(5, '0')}`
}
