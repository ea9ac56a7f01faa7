import type { Instant } from '../instant.ts'
import type { Digests } from '../platform/digests.ts'
import type { AddressHash } from './address-hash.ts'
import type { Feed } from './feed.ts'
import type { FeedReader } from './feed-store.ts'
import { isExpired, type Subscription } from './subscription.ts'
import type { SubscriptionReader } from './subscription-store.ts'
import { subscriptionsOf } from './subscriptions-of.ts'
import type { Suppression } from './suppression.ts'

/** A subscription, and the feed that it is to. */
export interface FeedSubscription {
  readonly subscription: Subscription
  readonly feed: Feed
}

/** The data that the owner of an address can see and change. */
export interface Preferences {
  /** The one that the link was mailed for. */
  readonly own: FeedSubscription
  readonly address: AddressHash
  /** All of the address, in the order of the feeds; without expired unconfirmed ones. */
  readonly subscriptions: readonly FeedSubscription[]
  /** Why and since when the address gets no sign-up mail. */
  readonly suppression: Suppression | undefined
}

/** The subscriptions of an address that count, each with its feed, in the order of the feeds. */
export const feedSubscriptionsOf = async (
  stores: { readonly feeds: FeedReader; readonly subscriptions: SubscriptionReader },
  digests: Digests,
  addressKey: string,
  now: Instant,
): Promise<FeedSubscription[]> => {
  const found: FeedSubscription[] = []
  for (const subscription of await subscriptionsOf(stores, digests, addressKey)) {
    const feed = isExpired(subscription, now) ? undefined : await stores.feeds.find(subscription.feed)
    if (feed) found.push({ subscription, feed })
  }
  return found
}
