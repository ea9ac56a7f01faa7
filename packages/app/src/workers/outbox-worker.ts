import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { type DeliverOutboxUseCase, type DeliveryRound, LEASE } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import type { Bell } from './bell.ts'
import type { RequestsUnderway } from './requests-underway.ts'

const POLL = 1_000
const PAUSE_AFTER_TROUBLE = 1_000
const ROUND = 20
/** So few that claiming them takes no request's time. */
const ROUND_AMONG_REQUESTS = 10
/** From one mail to the next where there is always some request to be answered. */
const GIVING_WAY = 50
/** Within which mails that were sent are written down together, in one commit. */
const GATHERING = 10

/**
 * Works the outbox, at once when the bell rings and every second anyway. Requests go first: a mail is begun when none
 * is being answered, or after it has given way for a moment; so mail flows even where requests never cease.
 */
export class OutboxWorker {
  readonly #deliver: DeliverOutboxUseCase
  readonly #bell: Bell
  readonly #metrics: Pick<ServiceMetrics, 'delivered'>
  readonly #log: Log
  readonly #requests: Pick<RequestsUnderway, 'any' | 'quiet'>
  #running: Promise<void> | undefined
  #gathering: Promise<void> | undefined
  readonly #stop = new AbortController()

  constructor(options: {
    deliver: DeliverOutboxUseCase
    bell: Bell
    metrics: Pick<ServiceMetrics, 'delivered'>
    log: Log
    requests: Pick<RequestsUnderway, 'any' | 'quiet'>
  }) {
    this.#deliver = options.deliver
    this.#bell = options.bell
    this.#metrics = options.metrics
    this.#log = options.log
    this.#requests = options.requests
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Finishes the mails in hand and takes no more. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#bell.ring()
    await this.#running
  }

  async #run(): Promise<void> {
    const renewal = setInterval(() => {
      this.#deliver.renewLeases().catch((error: unknown) => this.#log.warn({ err: error }, 'leases were not renewed'))
    }, LEASE / 3)
    const command = { stop: this.#stop.signal, pace: () => this.#giveWay(), gather: () => this.#gather() }
    while (!this.#stop.signal.aborted) {
      const limit = this.#requests.any ? ROUND_AMONG_REQUESTS : ROUND
      const round = await this.#report(this.#deliver.advance({ ...command, limit }))
      if (round === undefined) await this.#bell.wait(PAUSE_AFTER_TROUBLE)
      else if (round.claimed === 0) await this.#bell.wait(POLL)
    }
    await this.#report(this.#deliver.finish())
    clearInterval(renewal)
  }

  async #giveWay(): Promise<void> {
    // Lets in whatever has arrived.
    await nextTurnOfTheLoop()
    await this.#requests.quiet(GIVING_WAY)
  }

  /** Whoever comes while others wait goes on with them. */
  #gather(): Promise<void> {
    this.#gathering ??= sleep(GATHERING).then(() => {
      this.#gathering = undefined
    })
    return this.#gathering
  }

  async #report(working: Promise<DeliveryRound>): Promise<DeliveryRound | undefined> {
    try {
      const round = await working
      this.#metrics.delivered(round)
      for (const { entry, error, parked } of round.failures) {
        const fields = {
          outbox: entry.id,
          subscription: entry.subscriptionId,
          attempts: entry.attempts,
          reason: reasonOf(error),
        }
        if (parked) this.#log.error(fields, 'a mail was refused and is parked: see `rollcall outbox list`')
        else this.#log.warn(fields, 'a mail could not be sent and will be tried again')
      }
      if (round.sent > 0) this.#log.debug({ sent: round.sent }, 'mails sent')
      return round
    } catch (error) {
      this.#log.error({ err: error }, 'the outbox could not be worked; trying again')
      return undefined
    }
  }
}

// A relay's answer may hold the address; the log must not. The whole answer is in the outbox, without the address.
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown'
