import { FeedNotFound } from '../errors.ts'
import type { FeedReader } from '../ports/feed-store.ts'
import { asFeedName, DEFAULT_FEED, type Feed } from './feed.ts'

/** What a sign-up page says of a feed. For everybody: that a feed exists, each form tells already. */
export type PublicFeed = Pick<Feed, 'name' | 'title' | 'description' | 'language'>

export interface ShowFeedCommand {
  /** The `default` feed where none, or an empty one, is given. */
  readonly name?: string | undefined
}

export class ShowFeedUseCase {
  readonly #feeds: Pick<FeedReader, 'find'>

  constructor(feeds: Pick<FeedReader, 'find'>) {
    this.#feeds = feeds
  }

  /** @throws {FeedNotFound} */
  async execute({ name }: ShowFeedCommand): Promise<PublicFeed> {
    const feedName = name ? asFeedName(name) : DEFAULT_FEED
    const feed = feedName && (await this.#feeds.find(feedName))
    if (!feed) throw new FeedNotFound()
    const { title, description, language } = feed
    return { name: feed.name, title, description, language }
  }
}
