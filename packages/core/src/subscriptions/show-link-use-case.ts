import type { Dependencies } from '../dependencies.ts'
import { LinkNotValid } from '../errors.ts'
import type { Feed } from './feed.ts'
import type { FeedReader } from './feed-store.ts'
import { liveClaims, subscriptionOf } from './follow-link.ts'
import type { LinkPurpose } from './link-token.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionReader } from './subscription-store.ts'

export interface ShowLinkCommand {
  readonly purpose: LinkPurpose
  readonly token: string
}

/** What a page needs to describe its button; both undefined if the subscription is gone. */
export interface LinkSubject {
  readonly subscription: Subscription | undefined
  readonly feed: Feed | undefined
}

type Needs = Pick<Dependencies, 'tokens' | 'clock'> & {
  readonly subscriptions: SubscriptionReader
  readonly feeds: FeedReader
}

/** Reads the subject of a link. Changes nothing: mail scanners follow links. */
export class ShowLinkUseCase {
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** @throws {LinkNotValid} it has no valid signature for this purpose, or has expired; an unsubscribe link never expires */
  async execute({ purpose, token }: ShowLinkCommand): Promise<LinkSubject> {
    const claims = liveClaims(this.#ports.tokens, purpose, token, this.#ports.clock)
    const subscription = await subscriptionOf(claims, this.#ports.subscriptions)
    if (subscription === undefined && purpose !== 'unsubscribe') throw new LinkNotValid()
    return { subscription, feed: subscription && (await this.#ports.feeds.find(subscription.feed)) }
  }
}
