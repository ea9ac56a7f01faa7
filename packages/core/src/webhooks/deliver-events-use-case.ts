import type { Instant } from '../instant.ts'
import { DELIVERY_LEASE } from '../outbox/claim-mails.ts'
import { Outcomes, type Report } from '../outbox/outcomes.ts'
import type { Position } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { WebhookDeliveryFailure } from './decide-deliveries.ts'
import { type DeliverEventsCommand, type DispatcherPorts, TargetDispatcher } from './target-dispatcher.ts'
import type { WebhookName } from './webhook.ts'

/** What has become of events since the last round. */
export type EventDeliveryRound = Report<WebhookDeliveryFailure>

/** How many targets a round looks for; the next one looks for those behind them. */
const MOST_TARGETS = 100

/** Sends events to the targets that want them: at least once each, and of one subject in their order. */
export class DeliverEventsUseCase extends UseCase<DispatcherPorts | 'sealer'> {
  readonly #outcomes = new Outcomes<WebhookDeliveryFailure>()
  readonly #dispatchers = new Map<WebhookName, TargetDispatcher>()
  #lastRound: Instant | undefined
  #after: Position = 0

  /** When a round last came to its end without trouble; undefined before the first. */
  get lastRound(): Instant | undefined {
    return this.#lastRound
  }

  /**
   * Sends what is due, to every target until nothing is. Resolves when work on every target that has something to do is
   * begun; it goes on by itself, and is reported by later rounds. At the end, `finish`.
   */
  async advance(command: DeliverEventsCommand): Promise<EventDeliveryRound> {
    await this.#outcomes.writeDown()
    await this.ports.sealer.sealIfPossible()
    const { items, next = 0 } = await this.ports.readers.webhookDeliveries.due({
      after: this.#after,
      limit: MOST_TARGETS,
    })
    this.#after = next
    for (const name of items) {
      const dispatcher = this.#dispatchers.get(name) ?? new TargetDispatcher(name, this.ports, this.#outcomes)
      this.#dispatchers.set(name, dispatcher)
      dispatcher.run(command)
    }
    return this.#report()
  }

  /** Waits for all that was begun, and reports what no round has reported. */
  async finish(): Promise<EventDeliveryRound> {
    await Promise.all([...this.#dispatchers.values()].map(({ running }) => running))
    await this.#outcomes.writeDown()
    return this.#report()
  }

  /** To be called well within the lease while events are in flight, so that no other worker sends the same. */
  async renewLeases(): Promise<void> {
    const busy = [...this.#dispatchers.values()].filter(({ open }) => open > 0)
    if (busy.length === 0) return
    await this.ports.unitOfWork.run(async ({ webhookDeliveries }) => {
      for (const { owner } of busy) await webhookDeliveries.renew(owner, DELIVERY_LEASE)
    })
  }

  #report(): EventDeliveryRound {
    const round = this.#outcomes.report()
    if (round.trouble === undefined) this.#lastRound = this.ports.clock.now()
    return round
  }
}
