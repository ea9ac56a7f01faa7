import { DEFAULT_FEED, type Feed, type FeedStore, plainFeed } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export const memoryFeeds = (journal: Journal): FeedStore => {
  const feeds = new Table<string, Feed>(journal)
  feeds.set(DEFAULT_FEED, plainFeed(DEFAULT_FEED, 0))
  journal.forget()

  return {
    find: async (name) => feeds.get(name),
    list: async (stretch) => pageOf(feeds, stretch),
    put: async (feed) => feeds.set(feed.name, feed),
    remove: async (name) => feeds.delete(name),
  }
}
