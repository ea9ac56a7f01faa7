import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { type Feed, requireNamedFeed } from './feed.ts'

export class GetFeedUseCase extends UseCase<'access', 'feeds'> {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'

  /** @throws {FeedNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<Feed> {
    this.ports.access.require(caller, GetFeedUseCase, name)
    return await requireNamedFeed(this.ports.readers.feeds, name)
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
