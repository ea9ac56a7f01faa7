import { LinkNotValid } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { FeedReader } from '../ports/feed-store.ts'
import type { SubscriptionReader } from '../ports/subscription-store.ts'
import type { Feed } from './feed.ts'
import { liveClaims, subscriptionOf } from './follow-link.ts'
import type { LinkPurpose, LinkTokens } from './link-token.ts'
import type { Subscription } from './subscription.ts'

export interface ShowLinkCommand {
  readonly purpose: LinkPurpose
  readonly token: string
}

/** What a page needs to say what its button will do; both undefined where the subscription is gone. */
export interface LinkSubject {
  readonly subscription: Subscription | undefined
  readonly feed: Feed | undefined
}

/** Looks at what a link is about. Changes nothing, ever: mail scanners follow links. */
export class ShowLinkUseCase {
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #subscriptions: SubscriptionReader
  readonly #feeds: FeedReader

  constructor(ports: { tokens: LinkTokens; clock: Clock; subscriptions: SubscriptionReader; feeds: FeedReader }) {
    this.#tokens = ports.tokens
    this.#clock = ports.clock
    this.#subscriptions = ports.subscriptions
    this.#feeds = ports.feeds
  }

  /** @throws {LinkNotValid} nobody signed it for this purpose, or it is over; an unsubscribe link never is */
  async execute({ purpose, token }: ShowLinkCommand): Promise<LinkSubject> {
    const claims = liveClaims(this.#tokens, purpose, token, this.#clock)
    const subscription = await subscriptionOf(claims, this.#subscriptions)
    if (subscription === undefined && purpose !== 'unsubscribe') throw new LinkNotValid()
    return { subscription, feed: subscription && (await this.#feeds.find(subscription.feed)) }
  }
}
