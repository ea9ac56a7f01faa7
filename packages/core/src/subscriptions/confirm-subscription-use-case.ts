import { LinkNotValid } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { ConsentSource } from './consent.ts'
import { liveClaims, subscriptionOf } from './follow-link.ts'
import type { LinkTokens } from './link-token.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionConfirmation } from './subscription-confirmation.ts'

export interface LinkCommand {
  readonly token: string
  readonly source: ConsentSource
}

export interface ConfirmationResult {
  readonly subscription: Subscription
  /** It was confirmed by this link before. */
  readonly already: boolean
}

export class ConfirmSubscriptionUseCase {
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #confirmation: SubscriptionConfirmation
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    tokens: LinkTokens
    clock: Clock
    unitOfWork: UnitOfWork
    confirmation: SubscriptionConfirmation
    metrics: FunnelMetrics
  }) {
    this.#tokens = ports.tokens
    this.#clock = ports.clock
    this.#unitOfWork = ports.unitOfWork
    this.#confirmation = ports.confirmation
    this.#metrics = ports.metrics
  }

  /**
   * pending -> confirmed, once; pressing again changes nothing and says so.
   * @throws {LinkNotValid} nobody signed it, it has expired, a later link has superseded it, or the feed is on its way out
   */
  async execute({ token, source }: LinkCommand): Promise<ConfirmationResult> {
    const claims = liveClaims(this.#tokens, 'confirm', token, this.#clock)
    const result = await this.#unitOfWork.run(async (stores) => {
      const current = await subscriptionOf(claims, stores.subscriptions)
      if (!current || current.status === 'ended') throw new LinkNotValid()
      if (current.status === 'confirmed') return { subscription: current, already: true }
      if ((await stores.feeds.find(current.feed))?.deletingSince !== undefined) throw new LinkNotValid()
      return { subscription: await this.#confirmation.confirm(stores, current, source), already: false }
    })
    if (!result.already) this.#metrics.reached('confirmed')
    return result
  }
}
