import type { Page } from '../page.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import type { Feed } from './feed.ts'
import { type Subscription, subscriptionIdentity } from './subscription.ts'

/**
 * Every subscription of an address, in the order of the feeds. Feeds are few and ids follow from feed and address, so
 * no index over addresses is kept just for this. `looked` is called with how many feeds were looked into.
 */
export const subscriptionsOf = async (
  { feeds, subscriptions }: Pick<Readers, 'feeds' | 'subscriptions'>,
  digests: Digests,
  addressKey: string,
  looked?: (feeds: number) => void,
): Promise<Subscription[]> => {
  const found: Subscription[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: Page<Feed> = await feeds.list({ after, limit: 200 })
    looked?.(items.length)
    const located = items.map(({ name }) => subscriptions.locate(subscriptionIdentity(digests, name, addressKey)))
    for (const { subscription } of await Promise.all(located)) if (subscription) found.push(subscription)
    after = next
  }
  return found
}
