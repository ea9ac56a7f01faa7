import { FeedNotFound } from '../errors.ts'
import type { FeedLogo } from '../face/feed-logo.ts'
import { UseCase } from '../use-case.ts'
import { currentWording, DEFAULT_FEED, type Feed, logoOf, requireNamedFeed, takesSignUps } from './feed.ts'
import { declaredFields } from './feed-fields.ts'

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
