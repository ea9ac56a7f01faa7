import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { FeedNotFound } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Readers } from '../storage/readers.ts'
import { asFeedName, type Feed } from './feed.ts'

type Needs = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'feeds'> }

export class GetFeedUseCase {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** @throws {FeedNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<Feed> {
    this.#ports.access.require(caller, GetFeedUseCase, name)
    const feedName = asFeedName(name)
    const feed = feedName && (await this.#ports.readers.feeds.find(feedName))
    if (!feed) throw new FeedNotFound()
    return feed
  }
}

export class ListFeedsUseCase {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  async execute(request: PageRequest, caller: Caller): Promise<Page<Feed>> {
    this.#ports.access.require(caller, ListFeedsUseCase)
    return await this.#ports.readers.feeds.list(stretchOf(request))
  }
}
