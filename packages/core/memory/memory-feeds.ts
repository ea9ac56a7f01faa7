import { DEFAULT_FEED, type Feed, type FeedStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export const memoryFeeds = (journal: Journal): FeedStore => {
  const feeds = new Table<string, Feed>(journal)
  const standard = { title: DEFAULT_FEED, description: '', language: undefined, createdAt: 0, updatedAt: 0 }
  feeds.set(DEFAULT_FEED, { name: DEFAULT_FEED, ...standard })
  journal.forget()

  return {
    find: async (name) => feeds.get(name),
    list: async (stretch) => pageOf(feeds, stretch),
    put: async (feed) => feeds.set(feed.name, feed),
  }
}
