import type { Feed, FeedName, FeedStore } from '@rollcall/core'
import { FEED_STORE } from '../../tables/feeds.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

const MOST = 256

/** Remembers feeds from transaction to transaction: every sign-up asks for one, and next to none changes any. */
class KnownFeeds {
  readonly #writer: Writer
  readonly #feeds = new Map<FeedName, Feed>()
  #generation = -1

  constructor(writer: Writer) {
    this.#writer = writer
  }

  recall(name: FeedName, find: () => Feed | undefined): Feed | undefined {
    if (this.#generation !== this.#writer.generation) {
      this.#feeds.clear()
      this.#generation = this.#writer.generation
    }
    const known = this.#feeds.get(name)
    if (known !== undefined) return known
    const found = find()
    if (found === undefined) return undefined
    if (this.#feeds.size >= MOST) this.#feeds.clear()
    this.#feeds.set(name, found)
    return found
  }

  /** To be called for each that is about to be written. */
  forget(name: FeedName): void {
    this.#feeds.delete(name)
  }
}

export const sqliteFeedStore = (writer: Writer): Synchronous<FeedStore> => {
  const store = sqliteStore(FEED_STORE, writer)
  const known = new KnownFeeds(writer)
  return {
    ...store,
    find: (name) => known.recall(name, () => store.find(name)),
    put: (feed) => {
      known.forget(feed.name)
      store.put(feed)
    },
    remove: (name) => {
      known.forget(name)
      store.remove(name)
    },
  }
}
