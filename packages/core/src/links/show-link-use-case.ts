import { LinkNotValid } from '../errors.ts'
import type { FeedLogo } from '../face/feed-logo.ts'
import { type Feed, logoOf } from '../feeds/feed.ts'
import { linkedBy } from '../moves/moved-subscriptions.ts'
import { membersOf, type SignUpGroup } from '../sign-up/sign-up-group-store.ts'
import { isExpired, type Subscription } from '../subscriptions/subscription.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import { UseCase } from '../use-case.ts'
import type { LinkPurpose } from './link-purpose.ts'
import { knownByLink, type LinkClaims, subscriptionOf } from './link-token.ts'

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
  /** Of a link to refuse: its button was pressed before. */
  readonly refused?: boolean
  /** Of a link to unsubscribe: the subscription is another address's by now, which its reader need not know. */
  readonly moved?: boolean
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
  'signedLinks' | 'clock' | 'digests',
  'subscriptions' | 'feeds' | 'moves' | 'signUpGroups' | 'suppressions'
> {
  /** @throws {LinkNotValid} it has no valid signature for this purpose, or has expired; an unsubscribe link never expires */
  async execute({ purpose, token }: ShowLinkCommand): Promise<LinkSubject> {
    const claims = this.ports.signedLinks.require(purpose, token)
    const shown =
      claims.group === undefined ? await this.#show(purpose, claims) : await this.#showGroup(claims, claims.group)
    if (shown !== undefined) return shown
    const { suppressions } = this.ports.readers
    // As when the button is pressed again: that frightens nobody.
    const known = purpose === 'refuse' ? await knownByLink(claims, this.ports.readers) : undefined
    const refused = known && (await findSuppression(suppressions, mailboxHashes(this.ports.digests, known.addressKey)))
    if (!refused) throw new LinkNotValid()
    return { ...(await this.#subjectOf(known)), refused: true }
  }

  async #show(purpose: LinkPurpose, claims: LinkClaims): Promise<LinkSubject | undefined> {
    const { readers } = this.ports
    if (purpose !== 'unsubscribe') {
      const subscription = await subscriptionOf(claims, readers.subscriptions)
      return subscription && (await this.#subjectOf(subscription))
    }
    const linked = await linkedBy(readers, claims.id)
    const subscription = linked.findLast(({ status }) => status !== 'ended') ?? linked.at(-1)
    const moved = subscription !== undefined && subscription.id !== claims.id
    return { ...(await this.#subjectOf(subscription)), ...(moved && { moved }) }
  }

  async #subjectOf(subscription: Subscription | undefined): Promise<LinkSubject> {
    const { feeds } = this.ports.readers
    const feed = subscription && (await feeds.find(subscription.feed))
    return { subscription, feed, logo: await logoOf(feeds, feed) }
  }

  async #showGroup({ id: named }: LinkClaims, name: SignUpGroup): Promise<LinkSubject | undefined> {
    const { subscriptions, feeds, signUpGroups } = this.ports.readers
    const now = this.ports.clock.now()
    const group: GroupSubject[] = []
    for (const { id, episode } of await membersOf(signUpGroups, name)) {
      const subscription = await subscriptions.find(id)
      const feed = subscription && (await feeds.find(subscription.feed))
      if (feed === undefined || feed.deletingSince !== undefined || subscription === undefined) continue
      const good = subscription.episode === episode && subscription.status !== 'ended' && !isExpired(subscription, now)
      group.push({ subscription, feed, good })
    }
    const first =
      group.find(({ good, subscription }) => good && subscription.id === named) ?? group.find(({ good }) => good)
    if (first === undefined) return undefined
    const { subscription, feed } = first
    return { subscription, feed, logo: await logoOf(feeds, feed), group }
  }
}
