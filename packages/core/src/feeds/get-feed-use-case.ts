import type { Caller } from '../access/caller.ts'
import { totalOf } from '../numbers/number-store.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { type Feed, requireNamedFeed } from './feed.ts'

export class GetFeedUseCase extends UseCase<'access', 'feeds'> {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'

  /** @throws {FeedNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<Feed> {
    await this.ports.access.require(caller, GetFeedUseCase, name)
    return await requireNamedFeed(this.ports.readers.feeds, name)
  }
}

/** A feed in a list, and how many subscriptions it has: a number that is kept. */
export interface ListedFeed extends Feed {
  readonly total: number
}

export class ListFeedsUseCase extends UseCase<'access', 'feeds' | 'numbers'> {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<ListedFeed>> {
    await this.ports.access.require(caller, ListFeedsUseCase)
    const { feeds, numbers } = this.ports.readers
    const { items, next } = await feeds.list(stretchOf(request))
    const current = Map.groupBy(await numbers.current(items.map(({ name }) => name)), ({ feed }) => feed)
    const totalIn = (feed: Feed) => totalOf(current.get(feed.name) ?? [], undefined)
    return { items: items.map((feed) => ({ ...feed, total: totalIn(feed) })), next }
  }
}
