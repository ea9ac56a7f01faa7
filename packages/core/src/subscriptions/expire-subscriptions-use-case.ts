import { DAY } from '../instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import type { MailTransport } from '../ports/mail-transport.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { SubscriptionErasure } from './subscription-erasure.ts'

export interface ExpiryReport {
  readonly expired: number
  /** There may be more: call again. */
  readonly more: boolean
}

const BATCH = 100
/** How long events are kept. */
const EVENT_LIFE = 30 * DAY

/** Removes pending subscriptions whose links have expired, and mail caps, solutions and events that are too old. */
export class ExpireSubscriptionsUseCase {
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #erasure: SubscriptionErasure
  readonly #transport: Pick<MailTransport, 'forget'>
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    clock: Clock
    unitOfWork: UnitOfWork
    erasure: SubscriptionErasure
    transport: Pick<MailTransport, 'forget'>
    metrics: FunnelMetrics
  }) {
    this.#clock = ports.clock
    this.#unitOfWork = ports.unitOfWork
    this.#erasure = ports.erasure
    this.#transport = ports.transport
    this.#metrics = ports.metrics
  }

  /** One bounded batch. */
  async execute(): Promise<ExpiryReport> {
    const now = this.#clock.now()
    const { mails, expired, pruned } = await this.#unitOfWork.run(async (stores) => {
      const expired = await stores.subscriptions.expired(now, BATCH)
      const mails: string[] = []
      for (const subscription of expired) mails.push(...(await this.#erasure.of(stores, subscription)))
      if (expired.length > 0) await stores.signUpCounts.add('expired', expired.length)
      const pruned = Math.max(
        await stores.mailCaps.prune(now - 7 * DAY, BATCH),
        await stores.spentChallenges.prune(now, BATCH),
        await stores.events.prune(now - EVENT_LIFE, BATCH),
        await stores.webhookDeliveries.prune(now - EVENT_LIFE, BATCH),
      )
      return { mails, expired: expired.length, pruned }
    })
    if (expired > 0) this.#metrics.reached('expired', expired)
    await this.#transport.forget(mails)
    return { expired, more: expired === BATCH || pruned === BATCH }
  }
}
