import { setTimeout as sleep } from 'node:timers/promises'
import { type DeliverEventsUseCase, type EventDeliveryRound, LEASE, type WebhookDeliveryFailure } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { Bell } from './bell.ts'
import type { RequestsUnderway } from './requests-underway.ts'

const POLL = 1_000
const PAUSE_AFTER_TROUBLE = 1_000
/** From one target to the next where there is always some request to be answered. */
const GIVING_WAY = 50
/** Within which events that were sent are written down together, in one commit. */
const GATHERING = 10

/** Sends events to their targets, every second and for as long as there are any. Requests go first, as with mails. */
export class EventWorker {
  readonly #deliver: DeliverEventsUseCase
  readonly #metrics: Pick<ServiceMetrics, 'eventsDelivered'>
  readonly #log: Log
  readonly #requests: Pick<RequestsUnderway, 'quiet'>
  readonly #bell = new Bell()
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #gathering: Promise<void> | undefined

  constructor(options: {
    deliver: DeliverEventsUseCase
    metrics: Pick<ServiceMetrics, 'eventsDelivered'>
    log: Log
    requests: Pick<RequestsUnderway, 'quiet'>
  }) {
    this.#deliver = options.deliver
    this.#metrics = options.metrics
    this.#log = options.log
    this.#requests = options.requests
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Finishes the events in hand and takes no more. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#bell.ring()
    await this.#running
  }

  async #run(): Promise<void> {
    const renewal = setInterval(() => {
      this.#deliver.renewLeases().catch((error: unknown) => this.#log.warn({ err: error }, 'leases were not renewed'))
    }, LEASE / 3)
    const command = {
      stop: this.#stop.signal,
      pace: () => this.#requests.quiet(GIVING_WAY),
      gather: () => this.#gather(),
      freed: () => this.#bell.ring(),
    }
    while (!this.#stop.signal.aborted) {
      const round = await this.#report(this.#deliver.advance(command))
      if (round === undefined) await sleep(PAUSE_AFTER_TROUBLE)
      else if (!round.moved) await this.#bell.wait(POLL)
    }
    await this.#report(this.#deliver.finish())
    clearInterval(renewal)
  }

  /** Whoever comes while others wait goes on with them. */
  #gather(): Promise<void> {
    this.#gathering ??= sleep(GATHERING).then(() => {
      this.#gathering = undefined
    })
    return this.#gathering
  }

  async #report(working: Promise<EventDeliveryRound>): Promise<EventDeliveryRound | undefined> {
    try {
      const round = await working
      this.#metrics.eventsDelivered(round)
      for (const failure of round.failures) this.#tell(failure)
      if (round.sent > 0) this.#log.debug({ sent: round.sent }, 'events sent')
      return round
    } catch (error) {
      this.#log.error({ err: error }, 'events could not be sent; trying again')
      return undefined
    }
  }

  #tell({ delivery, error, parked, disabled }: WebhookDeliveryFailure): void {
    const { id, webhook, event, attempts } = delivery
    const fields = { delivery: id, webhook, event: event.position, attempts, reason: reasonOf(error) }
    if (parked) this.#log.error(fields, 'an event was given up and is parked: see `rollcall outbox list`')
    else this.#log.warn(fields, 'an event could not be sent and will be tried again')
    if (disabled !== undefined)
      this.#log.error({ webhook, because: disabled }, 'a webhook was disabled: see `rollcall webhook show`')
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'unknown'
