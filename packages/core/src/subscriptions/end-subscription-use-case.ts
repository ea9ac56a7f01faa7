import type { Clock } from '../ports/clock.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { liveClaims } from './follow-link.ts'
import type { LinkTokens } from './link-token.ts'
import type { SubscriptionEnding } from './subscription-ending.ts'

/** Unsubscribing by link, from a page or in one click (RFC 8058). */
export class EndSubscriptionUseCase {
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #ending: SubscriptionEnding
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    tokens: LinkTokens
    clock: Clock
    unitOfWork: UnitOfWork
    ending: SubscriptionEnding
    metrics: FunnelMetrics
  }) {
    this.#tokens = ports.tokens
    this.#clock = ports.clock
    this.#unitOfWork = ports.unitOfWork
    this.#ending = ports.ending
    this.#metrics = ports.metrics
  }

  /**
   * Whatever became of the subscription, afterwards it is not there or has ended.
   * @throws {LinkNotValid} nobody signed it
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const { id } = liveClaims(this.#tokens, 'unsubscribe', token, this.#clock)
    const ended = await this.#unitOfWork.run(async (stores) => {
      const current = await stores.subscriptions.find(id)
      if (!current || current.status === 'ended') return false
      await this.#ending.end(stores, current, 'ended', source)
      return true
    })
    if (ended) this.#metrics.reached('ended')
  }
}
