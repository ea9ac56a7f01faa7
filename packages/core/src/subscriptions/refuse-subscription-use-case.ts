import { LinkNotValid } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Digests } from '../ports/digests.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { addressHash } from './address-hash.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { liveClaims, subscriptionOf } from './follow-link.ts'
import type { LinkTokens } from './link-token.ts'
import type { SubscriptionEnding } from './subscription-ending.ts'

/** 'This was not me': ends the subscription, and sign-up mails to the address, over all feeds. */
export class RefuseSubscriptionUseCase {
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #digests: Digests
  readonly #unitOfWork: UnitOfWork
  readonly #ending: SubscriptionEnding
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    tokens: LinkTokens
    clock: Clock
    digests: Digests
    unitOfWork: UnitOfWork
    ending: SubscriptionEnding
    metrics: FunnelMetrics
  }) {
    this.#tokens = ports.tokens
    this.#clock = ports.clock
    this.#digests = ports.digests
    this.#unitOfWork = ports.unitOfWork
    this.#ending = ports.ending
    this.#metrics = ports.metrics
  }

  /**
   * Pressing again is as good as pressing once.
   * @throws {LinkNotValid} nobody signed it, it has expired, or a later link has superseded it
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const claims = liveClaims(this.#tokens, 'refuse', token, this.#clock)
    const refused = await this.#unitOfWork.run(async (stores) => {
      const { subscriptions, suppressions } = stores
      const current = await subscriptionOf(claims, subscriptions)
      if (!current || current.status === 'ended') {
        const known = current ?? (await subscriptions.find(claims.id))
        if (known && (await suppressions.find(addressHash(this.#digests, known.addressKey)))) return false
        throw new LinkNotValid()
      }
      await this.#ending.end(stores, current, 'refused', source)
      const suppression = { cause: 'refused', since: this.#clock.now() } as const
      await suppressions.add(addressHash(this.#digests, current.addressKey), suppression)
      return true
    })
    if (refused) this.#metrics.reached('refused')
  }
}
