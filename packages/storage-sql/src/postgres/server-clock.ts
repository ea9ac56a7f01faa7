import type { Clock, Instant } from '@rollcall/core'
import { type Ask, statement } from './statement.ts'

/** Milliseconds from one measurement to the next: as long as a machine that slept may be behind, or a fail-over unseen. */
const PAUSE = 10_000
/** Of which the quickest counts: the first waits for a connection. */
const AT_OPENING = 3

const NOW = statement('SELECT extract(epoch FROM clock_timestamp()) * 1000')

/**
 * The clock of the database, the same for every instance however wrong its own machine's is. No question waits for the
 * server: what is to be added to the time elapsed here is measured by the middle of a round trip.
 */
export class ServerClock implements Clock {
  readonly #ask: Ask
  readonly #elapsed: () => number
  #offset = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(ask: Ask, elapsed: () => number) {
    this.#ask = ask
    this.#elapsed = elapsed
  }

  /** Measured, and from then on again and again until it is stopped. */
  static async start(ask: Ask, elapsed = (): number => performance.now()): Promise<ServerClock> {
    const clock = new ServerClock(ask, elapsed)
    const measured: Measured[] = []
    for (let times = 0; times < AT_OPENING; times++) measured.push(await clock.#measure())
    clock.#offset = measured.reduce((best, next) => (next.error < best.error ? next : best)).offset
    // A server that does not answer is a matter of those who want something of it.
    clock.#timer = setInterval(() => void clock.measure().catch(() => undefined), PAUSE).unref()
    return clock
  }

  now(): Instant {
    return Math.floor(this.#elapsed() + this.#offset)
  }

  /** Measures once more. What is known stays, as long as it can be right: a slow answer moves no time to and fro. */
  async measure(): Promise<void> {
    const { offset, error } = await this.#measure()
    if (Math.abs(offset - this.#offset) > error) this.#offset = offset
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #measure(): Promise<Measured> {
    const before = this.#elapsed()
    const [row] = await this.#ask<[now: string | number]>(NOW)
    const after = this.#elapsed()
    return { offset: Number(row?.[0]) - (before + after) / 2, error: (after - before) / 2 }
  }
}

/** What is to be added, and how much it may be off either way. */
interface Measured {
  readonly offset: number
  readonly error: number
}
