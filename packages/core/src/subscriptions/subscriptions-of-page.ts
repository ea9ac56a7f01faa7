import type { Page } from '../page.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../storage/readers.ts'
import type { FeedName } from './feed.ts'
import type { Subscription } from './subscription.ts'
import { subscriptionIdentity } from './subscription-id.ts'
import type { SubscriptionFilter } from './subscription-store.ts'

/** A stretch of the subscriptions of an address; its cursors are those of the list of feeds. */
export const subscriptionsOfPage = async (
  { feeds, subscriptions }: Pick<Readers, 'feeds' | 'subscriptions'>,
  digests: Digests,
  addressKey: string,
  { feed, status, after, limit }: SubscriptionFilter,
): Promise<Page<Subscription>> => {
  const find = async (name: FeedName): Promise<Subscription[]> => {
    const { subscription } = await subscriptions.locate(subscriptionIdentity(digests, name, addressKey))
    return subscription && (status === undefined || subscription.status === status) ? [subscription] : []
  }
  if (feed !== undefined) return { items: await find(feed), next: undefined }
  const items: Subscription[] = []
  let next: number | undefined = after
  // No page of feeds is longer than what is still wanted, so its end is a valid cursor.
  while (next !== undefined && items.length < limit) {
    const stretch = await feeds.list({ after: next, limit: limit - items.length })
    for (const { name } of stretch.items) items.push(...(await find(name)))
    next = stretch.next
  }
  for (let rest = next; rest !== undefined; ) {
    const stretch = await feeds.list({ after: rest, limit: LONGEST_STRETCH })
    for (const { name } of stretch.items) if ((await find(name)).length > 0) return { items, next }
    rest = stretch.next
  }
  return { items, next: undefined }
}

const LONGEST_STRETCH = 200
