import type { Caller } from '../access/caller.ts'
import { FeedNotFound } from '../errors.ts'
import type { FeedLogo } from '../face/feed-logo.ts'
import { totalOf } from '../numbers/number-store.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { currentWording, DEFAULT_FEED, type Feed, logoOf, requireNamedFeed, takesSignUps } from './feed.ts'
import { declaredFields } from './feed-fields.ts'

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

/** What a sign-up page shows of a feed. Public: every form already reveals that the feed exists. */
export interface PublicFeed
  extends Pick<Feed, 'name' | 'title' | 'description' | 'language' | 'homeUrl' | 'fields' | 'face'> {
  readonly logo: FeedLogo | undefined
  /** What a person who signs up agrees to, in the feed's own words. */
  readonly wording: string | undefined
  /** Whether it takes sign-ups. */
  readonly open: boolean
  /** Where a form may ask to be sent back to. */
  readonly returnUrls: readonly string[]
  /** For the form to carry: when it was shown, signed. */
  readonly stamp: string
}

export interface ShowFeedCommand {
  /** By default, or if empty, the `default` feed. */
  readonly name?: string | undefined
}

export class ShowFeedUseCase extends UseCase<'stamps', 'feeds'> {
  /** @throws {FeedNotFound} */
  async execute({ name }: ShowFeedCommand): Promise<PublicFeed> {
    const feed = await requireNamedFeed(this.ports.readers.feeds, name || DEFAULT_FEED)
    if (feed.deletingSince !== undefined) throw new FeedNotFound()
    const { title, description, language, returnUrls, homeUrl, face } = feed
    const logo = await logoOf(this.ports.readers.feeds, feed)
    const shown = {
      name: feed.name,
      title,
      description,
      language,
      returnUrls,
      homeUrl,
      face,
      logo,
      fields: declaredFields(feed),
    }
    const wording = currentWording(feed)?.text
    return { ...shown, wording, open: takesSignUps(feed), stamp: this.ports.stamps.issue() }
  }
}
