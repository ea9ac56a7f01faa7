import { LinkNotValid } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import { addressHash } from './address-hash.ts'
import type { FeedReader } from './feed-store.ts'
import { livePreferences } from './follow-link.ts'
import type { LinkTokens } from './link-token.ts'
import { feedSubscriptionsOf, type Preferences } from './preferences.ts'
import type { SubscriptionReader } from './subscription-store.ts'
import type { SuppressionReader } from './suppression-store.ts'

/** Opens preferences links: their holder received a mail at the address within the hour. */
export class PreferencesLinks {
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #digests: Digests

  constructor(tokens: LinkTokens, clock: Clock, digests: Digests) {
    this.#tokens = tokens
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
    const claims = livePreferences(this.#tokens, token, this.#clock)
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
