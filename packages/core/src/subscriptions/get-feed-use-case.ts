import type { Caller } from '../access/caller.ts'
import { FeedNotFound } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { asFeedName, type Feed } from './feed.ts'

export class GetFeedUseCase extends UseCase<'access', 'feeds'> {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'

  /** @throws {FeedNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<Feed> {
    this.ports.access.require(caller, GetFeedUseCase, name)
    const feedName = asFeedName(name)
    const feed = feedName && (await this.ports.readers.feeds.find(feedName))
    if (!feed) throw new FeedNotFound()
    return feed
  }
}

export class ListFeedsUseCase extends UseCase<'access', 'feeds'> {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<Feed>> {
    this.ports.access.require(caller, ListFeedsUseCase)
    return await this.ports.readers.feeds.list(stretchOf(request))
  }
}
