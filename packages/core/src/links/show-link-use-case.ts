import { LinkNotValid } from '../errors.ts'
import type { FeedLogo } from '../face/feed-logo.ts'
import { type Feed, logoOf } from '../feeds/feed.ts'
import { currentOf } from '../moves/moved-subscriptions.ts'
import type { SignUpGroup } from '../sign-up/sign-up-group-store.ts'
import { isExpired, type Subscription } from '../subscriptions/subscription.ts'
import { UseCase } from '../use-case.ts'
import type { LinkPurpose } from './link-purpose.ts'
import { type LinkClaims, subscriptionOf } from './link-token.ts'

export interface ShowLinkCommand {
  readonly purpose: LinkPurpose
  readonly token: string
}

/** What a page needs to describe its button; both undefined if the subscription is gone. */
export interface LinkSubject {
  readonly subscription: Subscription | undefined
  readonly feed: Feed | undefined
  /** Of the feed, if it has one. */
  readonly logo?: FeedLogo | undefined
  /** Of a link for several feeds, those of the form that are still there, in its order; else undefined. */
  readonly group?: readonly GroupSubject[] | undefined
}

/** One feed of a form that asked for several. */
export interface GroupSubject {
  readonly subscription: Subscription
  readonly feed: Feed
  /** Whether the link is good for it: it may be confirmed, or was confirmed by it. */
  readonly good: boolean
}

/** Reads the subject of a link. Changes nothing: mail scanners follow links. */
export class ShowLinkUseCase extends UseCase<
  'signedLinks' | 'clock',
  'subscriptions' | 'feeds' | 'moves' | 'signUpGroups'
> {
  /** @throws {LinkNotValid} it has no valid signature for this purpose, or has expired; an unsubscribe link never expires */
  async execute({ purpose, token }: ShowLinkCommand): Promise<LinkSubject> {
    const claims = this.ports.signedLinks.require(purpose, token)
    if (claims.group !== undefined) return await this.#showGroup(claims, claims.group)
    const { readers } = this.ports
    const subscription =
      purpose === 'unsubscribe'
        ? await currentOf(readers, claims.id)
        : await subscriptionOf(claims, readers.subscriptions)
    if (subscription === undefined && purpose !== 'unsubscribe') throw new LinkNotValid()
    const feed = subscription && (await readers.feeds.find(subscription.feed))
    return { subscription, feed, logo: await logoOf(readers.feeds, feed) }
  }

  async #showGroup({ id: named }: LinkClaims, name: SignUpGroup): Promise<LinkSubject> {
    const { subscriptions, feeds, signUpGroups } = this.ports.readers
    const now = this.ports.clock.now()
    const group: GroupSubject[] = []
    for (const { id, episode } of await signUpGroups.members(name)) {
      const subscription = await subscriptions.find(id)
      const feed = subscription && (await feeds.find(subscription.feed))
      if (feed === undefined || feed.deletingSince !== undefined || subscription === undefined) continue
      const good = subscription.episode === episode && subscription.status !== 'ended' && !isExpired(subscription, now)
      group.push({ subscription, feed, good })
    }
    const first =
      group.find(({ good, subscription }) => good && subscription.id === named) ?? group.find(({ good }) => good)
    if (first === undefined) throw new LinkNotValid()
    const { subscription, feed } = first
    return { subscription, feed, logo: await logoOf(feeds, feed), group }
  }
}
