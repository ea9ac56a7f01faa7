import { setTimeout as sleep } from 'node:timers/promises'
import { type DeliverOutboxUseCase, type DeliveryRound, LEASE } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import type { Bell } from './bell.ts'

const POLL = 1_000
const PAUSE_AFTER_TROUBLE = 1_000
const ROUND = 100
const ROUND_UNDER_LOAD = 20
/** Requests a second. */
const BUSY = 3_000
const PAUSE_PER_WORK = 9

/**
 * Works the outbox, at once when the bell rings and every second anyway. While requests come in it works one part of
 * the time in ten, so that mail never takes the time that they need; what was owed meanwhile goes out afterwards.
 */
export class OutboxWorker {
  readonly #deliver: DeliverOutboxUseCase
  readonly #bell: Bell
  readonly #metrics: Pick<ServiceMetrics, 'delivered'>
  readonly #log: Log
  readonly #requestCount: () => number
  #running: Promise<void> | undefined
  readonly #stop = new AbortController()

  constructor(options: {
    deliver: DeliverOutboxUseCase
    bell: Bell
    metrics: Pick<ServiceMetrics, 'delivered'>
    log: Log
    requestCount: () => number
  }) {
    this.#deliver = options.deliver
    this.#bell = options.bell
    this.#metrics = options.metrics
    this.#log = options.log
    this.#requestCount = options.requestCount
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
    let load = 0
    while (!this.#stop.signal.aborted) {
      const before = { requests: this.#requestCount(), time: performance.now() }
      const round = await this.#round(load > 0 ? ROUND_UNDER_LOAD : ROUND)
      const spent = Math.max(1, performance.now() - before.time)
      if (round === undefined) await this.#bell.wait(PAUSE_AFTER_TROUBLE)
      else if (round.claimed === 0) await this.#bell.wait(POLL)
      else if (load > 0) await sleep(spent * PAUSE_PER_WORK * load)
      const requests = this.#requestCount() - before.requests
      load = Math.min(1, (requests * 1_000) / (performance.now() - before.time) / BUSY)
    }
  }

  async #round(limit: number): Promise<DeliveryRound | undefined> {
    const renewal = setInterval(() => {
      this.#deliver.renewLeases().catch((error: unknown) => this.#log.warn({ err: error }, 'leases were not renewed'))
    }, LEASE / 3)
    try {
      const round = await this.#deliver.execute({ limit, stop: this.#stop.signal })
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
    } finally {
      clearInterval(renewal)
    }
  }
}

// A relay's answer may hold the address; the log must not. The whole answer is in the outbox, without the address.
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown'
