import type { Instant } from '../instant.ts'
import { LEASE } from '../outbox/claim-mails.ts'
import { UseCase } from '../use-case.ts'
import {
  type DeliverEventsCommand,
  DispatcherReport,
  type EventDeliveryRound,
  TargetDispatcher,
} from './target-dispatcher.ts'
import type { WebhookName } from './webhook.ts'

/** How many targets a round looks for. */
const MOST_TARGETS = 100

/** Sends events to the targets that want them: at least once each, and of one subject in their order. */
export class DeliverEventsUseCase extends UseCase<
  | 'unitOfWork'
  | 'readers'
  | 'sealer'
  | 'webhookTransport'
  | 'webhookSecrets'
  | 'trail'
  | 'clock'
  | 'randomness'
  | 'publicUrl'
> {
  readonly #told = new DispatcherReport()
  readonly #dispatchers = new Map<WebhookName, TargetDispatcher>()
  #lastRound: Instant | undefined

  /** When a round last came to its end; undefined before the first. */
  get lastRound(): Instant | undefined {
    return this.#lastRound
  }

  /** Sends what is due, to every target until nothing is, and resolves when all of it is done. */
  async execute(command: DeliverEventsCommand = {}): Promise<EventDeliveryRound> {
    await this.#begin(command)
    await this.#done()
    return this.#report()
  }

  /**
   * As `execute`, but resolves when work on every target that has something to do is begun. It goes on by itself, and is
   * reported by later rounds. At the end, `finish`.
   */
  async advance(command: DeliverEventsCommand): Promise<EventDeliveryRound> {
    await this.#begin(command)
    return this.#report()
  }

  /** Waits for all that was begun, and reports what no round has reported. */
  async finish(): Promise<EventDeliveryRound> {
    await this.#done()
    await this.#told.outcomes.writeDown()
    return this.#report()
  }

  /** To be called well within the lease while events are in flight, so that no other worker sends the same. */
  async renewLeases(): Promise<void> {
    const owners = [...this.#dispatchers.values()].filter(({ isBusy }) => isBusy).map(({ owner }) => owner)
    if (owners.length === 0) return
    await this.ports.unitOfWork.run(async ({ webhookDeliveries }) => {
      for (const owner of owners) await webhookDeliveries.renew(owner, LEASE)
    })
  }

  async #begin(command: DeliverEventsCommand): Promise<void> {
    await this.#told.outcomes.writeDown()
    await this.ports.sealer.sealIfPossible()
    for (const name of await this.ports.readers.webhookDeliveries.due(MOST_TARGETS)) this.#dispatcher(name).run(command)
  }

  #dispatcher(name: WebhookName): TargetDispatcher {
    const dispatcher = this.#dispatchers.get(name) ?? new TargetDispatcher(name, this.ports, this.#told)
    this.#dispatchers.set(name, dispatcher)
    return dispatcher
  }

  async #done(): Promise<void> {
    await Promise.all([...this.#dispatchers.values()].map(({ done }) => done))
  }

  #report(): EventDeliveryRound {
    const round = this.#told.take()
    this.#lastRound = this.ports.clock.now()
    return round
  }
}
