import { setTimeout as sleep } from 'node:timers/promises'
import { LEASE } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { Signal } from './signal.ts'

const POLL = 1_000

/** What a loop repeats. */
export interface Rounds {
  /** Does what there is to do; false where it had nothing, or trouble. Never rejects. */
  readonly next: (stop: AbortSignal) => Promise<boolean>
  /** Waits for all that was begun. Never rejects. */
  readonly finish: () => Promise<void>
  readonly renewLeases: () => Promise<void>
}

/** Rounds without a gap while there is something to do; else one when it is notified, and every second anyway. */
export class DeliveryLoop {
  readonly #rounds: Rounds
  readonly #signal: Signal
  readonly #log: Log
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(options: { rounds: Rounds; outboxSignal: Signal; log: Log }) {
    this.#rounds = options.rounds
    this.#signal = options.outboxSignal
    this.#log = options.log
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Finishes what is in hand and takes no more. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#signal.notify()
    await this.#running
  }

  async #run(): Promise<void> {
    const renewal = setInterval(() => {
      this.#rounds.renewLeases().catch((error: unknown) => this.#log.warn({ err: error }, 'leases were not renewed'))
    }, LEASE / 3)
    while (!this.#stop.signal.aborted) if (!(await this.#rounds.next(this.#stop.signal))) await this.#signal.wait(POLL)
    await this.#rounds.finish()
    clearInterval(renewal)
  }
}

/** Milliseconds; what was sent within them is recorded in one commit. */
const BATCH_WINDOW = 10

/** Callers that join while others wait go on with them. */
export class BatchWindow {
  #waiting: Promise<void> | undefined

  join(): Promise<void> {
    this.#waiting ??= sleep(BATCH_WINDOW).then(() => {
      this.#waiting = undefined
    })
    return this.#waiting
  }
}
