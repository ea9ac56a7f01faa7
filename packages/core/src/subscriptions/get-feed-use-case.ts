import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { FeedNotFound } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { FeedReader } from '../ports/feed-store.ts'
import { asFeedName, type Feed } from './feed.ts'

export class GetFeedUseCase {
  readonly #access: AccessControl
  readonly #feeds: FeedReader

  constructor(access: AccessControl, feeds: FeedReader) {
    this.#access = access
    this.#feeds = feeds
  }

  /** @throws {FeedNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<Feed> {
    this.#access.require(caller, 'feeds:read', { action: 'feed.read', target: name })
    const feedName = asFeedName(name)
    const feed = feedName && (await this.#feeds.find(feedName))
    if (!feed) throw new FeedNotFound()
    return feed
  }
}

export class ListFeedsUseCase {
  readonly #access: AccessControl
  readonly #feeds: FeedReader

  constructor(access: AccessControl, feeds: FeedReader) {
    this.#access = access
    this.#feeds = feeds
  }

  async execute(request: PageRequest, caller: Caller): Promise<Page<Feed>> {
    this.#access.require(caller, 'feeds:read', { action: 'feed.read' })
    return await this.#feeds.list(stretchOf(request))
  }
}
