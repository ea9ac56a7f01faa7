import { LinkNotValid } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import { type AddressHash, addressHash } from './email-address.ts'
import type { Feed, FeedReader } from './feed.ts'
import type { SignedLinks } from './link-token.ts'
import { isExpired, type Subscription } from './subscription.ts'
import type { SubscriptionReader } from './subscription-store.ts'
import { subscriptionsOf } from './subscriptions-of.ts'
import type { Suppression, SuppressionReader } from './suppression-store.ts'

/** A subscription, and the feed that it is to. */
export interface FeedSubscription {
  readonly subscription: Subscription
  readonly feed: Feed
}

/** The data that the owner of an address can see and change. */
export interface Preferences {
  /** The one that the link was mailed for. */
  readonly own: FeedSubscription
  readonly address: AddressHash
  /** All of the address, in the order of the feeds; without expired unconfirmed ones. */
  readonly subscriptions: readonly FeedSubscription[]
  /** Why and since when the address gets no sign-up mail. */
  readonly suppression: Suppression | undefined
}

/** The subscriptions of an address that count, each with its feed, in the order of the feeds. */
export const feedSubscriptionsOf = async (
  stores: { readonly feeds: FeedReader; readonly subscriptions: SubscriptionReader },
  digests: Digests,
  addressKey: string,
  now: Instant,
): Promise<FeedSubscription[]> => {
  const found: FeedSubscription[] = []
  for (const subscription of await subscriptionsOf(stores, digests, addressKey)) {
    const feed = isExpired(subscription, now) ? undefined : await stores.feeds.find(subscription.feed)
    if (feed) found.push({ subscription, feed })
  }
  return found
}

/** Opens preferences links: their holder received a mail at the address within the hour. */
export class PreferencesLinks {
  readonly #signedLinks: SignedLinks
  readonly #clock: Clock
  readonly #digests: Digests

  constructor(signedLinks: SignedLinks, clock: Clock, digests: Digests) {
    this.#signedLinks = signedLinks
    this.#clock = clock
    this.#digests = digests
  }

  /**
   * What the link opens, read from the stores of a unit of work or from readers.
   * @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is gone
   */
  async open(
    stores: {
      readonly feeds: FeedReader
      readonly subscriptions: SubscriptionReader
      readonly suppressions: Pick<SuppressionReader, 'find'>
    },
    token: string,
  ): Promise<Preferences> {
    const claims = this.#signedLinks.require('preferences', token)
    const now = this.#clock.now()
    const known = await stores.subscriptions.find(claims.id)
    if (!known) throw new LinkNotValid()
    const subscriptions = await feedSubscriptionsOf(stores, this.#digests, known.addressKey, now)
    const own = subscriptions.find(({ subscription }) => subscription.id === claims.id)
    if (!own) throw new LinkNotValid()
    const address = addressHash(this.#digests, known.addressKey)
    return { own, address, subscriptions, suppression: await stores.suppressions.find(address) }
  }
}
