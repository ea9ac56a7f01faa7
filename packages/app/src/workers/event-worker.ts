import type { DeliverEventsUseCase, EventDeliveryRound, WebhookDeliveryFailure } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { BatchWindow, DeliveryLoop, POLL, type Rounds } from './delivery-loop.ts'
import type { RequestsInFlight } from './requests-in-flight.ts'

interface Options {
  readonly deliver: DeliverEventsUseCase
  readonly metrics: Pick<ServiceMetrics, 'eventsDelivered'>
  readonly log: Log
  readonly requests: Pick<RequestsInFlight, 'idle'>
}

/** Milliseconds; what was sent within them is recorded in one commit. */
const BATCH_WINDOW = 10

/** From one target to the next where there is always some request to be answered. */
const GIVING_WAY = 50

/** Sends events to their targets, every second and for as long as there are any. Requests go first, as with mails. */
export class EventWorker {
  readonly #options: Options
  readonly #window = new BatchWindow(BATCH_WINDOW)
  readonly #loop: DeliveryLoop

  constructor(options: Options) {
    this.#options = options
    this.#loop = new DeliveryLoop(this.#rounds(), options.log)
  }

  start(): void {
    this.#loop.start()
  }

  /** Finishes the events in hand and takes no more. */
  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  #rounds(): Rounds {
    const { deliver, requests } = this.#options
    const pace = () => requests.idle(GIVING_WAY)
    const gather = () => this.#window.join()
    const freed = () => this.#loop.notify()
    return {
      next: async (stop) => {
        const round = await this.#report(deliver.advance({ stop, pace, gather, freed }))
        return round?.moved ? 0 : POLL
      },
      finish: async () => {
        await this.#report(deliver.finish())
      },
      renewLeases: () => deliver.renewLeases(),
    }
  }

  async #report(working: Promise<EventDeliveryRound>): Promise<EventDeliveryRound | undefined> {
    const { metrics, log } = this.#options
    try {
      const round = await working
      metrics.eventsDelivered(round)
      for (const failure of round.failures) this.#tell(failure)
      if (round.sent > 0) log.debug({ sent: round.sent }, 'events sent')
      return round
    } catch (error) {
      log.error({ err: error }, 'events could not be sent; trying again')
      return undefined
    }
  }

  #tell({ delivery, error, parked, disabled }: WebhookDeliveryFailure): void {
    const { log } = this.#options
    const { id, webhook, event, attempts } = delivery
    const fields = { delivery: id, webhook, event: event.position, attempts, reason: reasonOf(error) }
    if (parked) log.error(fields, 'an event was given up and is parked: see `rollcall outbox list`')
    else log.warn(fields, 'an event could not be sent and will be tried again')
    if (disabled !== undefined)
      log.error({ webhook, because: disabled }, 'a webhook was disabled: see `rollcall webhook show`')
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'unknown'
