import type { Subscription } from '../subscriptions/subscription.ts'
import { without } from './erase-fields.ts'
import { type Feed, type FeedReader, rememberedFeeds } from './feed.ts'

/** The subscription without the values that are being erased. */
export const visible = <One extends Pick<Subscription, 'fields'>>(
  subscription: One,
  feed: Pick<Feed, 'fields'> | undefined,
): One => {
  const { fields } = subscription
  if (fields === undefined || feed === undefined || !feed.fields.some(({ erasing }) => erasing)) return subscription
  const erased = feed.fields.filter(({ erasing }) => erasing).map(({ name }) => name)
  return { ...subscription, fields: without(fields, erased) }
}

/** The same if the feed is still to be looked up: at most once each, and only for those that have values. */
export const fieldsMadeVisible = (feeds: Pick<FeedReader, 'find'>) => {
  const feedOf = rememberedFeeds(feeds)
  return async <One extends Subscription>(subscription: One): Promise<One> =>
    subscription.fields === undefined ? subscription : visible(subscription, await feedOf(subscription.feed))
}
