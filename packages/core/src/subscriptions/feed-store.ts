import type { Page, Stretch } from '../page.ts'
import type { Feed, FeedName } from './feed.ts'

export interface FeedReader {
  /** The feed `default` is always there. */
  find(name: FeedName): Promise<Feed | undefined>
  list(stretch: Stretch): Promise<Page<Feed>>
}

export interface FeedStore extends FeedReader {
  /** Stores the feed; replaces the one with the same name, which keeps its place in lists. */
  put(feed: Feed): Promise<void>
  /** Removes the feed alone; does nothing if there is no such feed. Its subscriptions must be gone before. */
  remove(name: FeedName): Promise<void>
}
