import { LinkNotValid } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import type { Feed } from './feed.ts'
import { type LinkPurpose, subscriptionOf } from './link-token.ts'
import type { Subscription } from './subscription.ts'

export interface ShowLinkCommand {
  readonly purpose: LinkPurpose
  readonly token: string
}

/** What a page needs to describe its button; both undefined if the subscription is gone. */
export interface LinkSubject {
  readonly subscription: Subscription | undefined
  readonly feed: Feed | undefined
}

/** Reads the subject of a link. Changes nothing: mail scanners follow links. */
export class ShowLinkUseCase extends UseCase<'signedLinks' | 'clock', 'subscriptions' | 'feeds'> {
  /** @throws {LinkNotValid} it has no valid signature for this purpose, or has expired; an unsubscribe link never expires */
  async execute({ purpose, token }: ShowLinkCommand): Promise<LinkSubject> {
    const claims = this.ports.signedLinks.require(purpose, token)
    const subscription = await subscriptionOf(claims, this.ports.readers.subscriptions)
    if (subscription === undefined && purpose !== 'unsubscribe') throw new LinkNotValid()
    return { subscription, feed: subscription && (await this.ports.readers.feeds.find(subscription.feed)) }
  }
}
