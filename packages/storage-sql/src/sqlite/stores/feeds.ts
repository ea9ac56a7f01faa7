import type { Feed, FeedName, FeedStore } from '@rollcall/core'
import { FEED_STORE } from '../../tables/feeds.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

const MOST = 256

/** Remembers feeds from transaction to transaction: every sign-up asks for one, and next to none changes any. */
export const sqliteFeedStore = (writer: Writer): Synchronous<FeedStore> => {
  const store = sqliteStore(FEED_STORE, writer)
  const known = new Map<FeedName, Feed>()
  let generation = -1
  return {
    ...store,
    find: (name) => {
      if (generation !== writer.generation) known.clear()
      generation = writer.generation
      const remembered = known.get(name)
      if (remembered !== undefined) return remembered
      const found = store.find(name)
      if (known.size >= MOST) known.clear()
      if (found !== undefined) known.set(name, found)
      return found
    },
    put: (feed) => {
      known.delete(feed.name)
      store.put(feed)
    },
    remove: (name) => {
      known.delete(name)
      store.remove(name)
    },
  }
}
