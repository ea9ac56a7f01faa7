import { setTimeout as sleep } from 'node:timers/promises'
import { DELIVERY_LEASE } from '@rollcall/core'
import type { Log } from '../log.ts'

/** Milliseconds. */
export const POLL = 1_000

export interface Rounds {
  /** Does what there is to do, and says how many milliseconds the next round may wait. Never rejects. */
  readonly next: (stop: AbortSignal) => Promise<number>
  /** Waits for all that was begun. Never rejects. */
  readonly finish: () => Promise<void>
  readonly renewLeases: () => Promise<void>
}

/** Rounds one after another, each as soon as the one before it says. */
export class DeliveryLoop {
  readonly #rounds: Rounds
  readonly #log: Log
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #wake: (() => void) | undefined

  constructor(rounds: Rounds, log: Log) {
    this.#rounds = rounds
    this.#log = log
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Finishes what is in hand and takes no more. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wake?.()
    await this.#running
  }

  async #run(): Promise<void> {
    const renewal = setInterval(() => {
      this.#rounds.renewLeases().catch((error: unknown) => this.#log.warn({ err: error }, 'leases were not renewed'))
    }, DELIVERY_LEASE / 3)
    while (!this.#stop.signal.aborted) {
      const pause = await this.#rounds.next(this.#stop.signal)
      if (pause > 0 && !this.#stop.signal.aborted) await this.#rest(pause)
    }
    await this.#rounds.finish()
    clearInterval(renewal)
  }

  /** So many milliseconds, or until it is to stop. */
  #rest(pause: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Callers that join while others wait go on with them. */
export class BatchWindow {
  readonly #milliseconds: number
  #waiting: Promise<void> | undefined

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  join(): Promise<void> {
    this.#waiting ??= sleep(this.#milliseconds).then(() => {
      this.#waiting = undefined
    })
    return this.#waiting
  }
}
