import type { Digests } from '../platform/digests.ts'
import type { Feed, FeedReader } from './feed.ts'
import { type Subscription, subscriptionIdentity } from './subscription.ts'
import type { SubscriptionReader } from './subscription-store.ts'

/**
 * Every subscription of an address, in the order of the feeds. Feeds are few and ids follow from feed and address, so
 * no index over addresses is kept just for this.
 */
export const subscriptionsOf = async (
  { feeds, subscriptions }: { readonly feeds: FeedReader; readonly subscriptions: SubscriptionReader },
  digests: Digests,
  addressKey: string,
): Promise<Subscription[]> => {
  const found: Subscription[] = []
  for await (const { name } of everyFeed(feeds)) {
    const { subscription } = await subscriptions.locate(subscriptionIdentity(digests, name, addressKey))
    if (subscription) found.push(subscription)
  }
  return found
}

async function* everyFeed(feeds: FeedReader): AsyncGenerator<Feed> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next } = await feeds.list({ after, limit: 200 })
    yield* items
    after = next
  }
}
