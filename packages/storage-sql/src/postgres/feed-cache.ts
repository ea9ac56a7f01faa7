import type { Feed, FeedName, FeedReader } from '@rollcall/core'

/** Milliseconds. */
const LONGEST = 1_000

/** Feeds as they were a second ago, or later. One that is not known is always asked for. */
export class FeedCache {
  readonly #find: FeedReader['find']
  #known = new Map<FeedName, { readonly feed: Promise<Feed | undefined>; readonly until: number }>()

  constructor(find: FeedReader['find']) {
    this.#find = find
  }

  async find(name: FeedName): Promise<Feed | undefined> {
    const known = this.#known.get(name)
    if (known !== undefined && performance.now() < known.until) return await known.feed
    const feeds = this.#known
    const entry = { feed: this.#find(name), until: performance.now() + LONGEST }
    feeds.set(name, entry)
    const forget = (): void => {
      if (feeds.get(name) === entry) feeds.delete(name)
    }
    try {
      const feed = await entry.feed
      if (feed === undefined) forget()
      return feed
    } catch (error) {
      forget()
      throw error
    }
  }

  /** To be called when a feed was changed. What was asked for before is not kept, either. */
  empty(): void {
    this.#known = new Map()
  }
}
