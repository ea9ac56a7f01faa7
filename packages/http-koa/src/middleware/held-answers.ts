/** A monotonic clock in milliseconds, and what waits by it. */
export interface Timing {
  now(): number
  /** Calls back after at least so many whole milliseconds. */
  later(call: () => void, milliseconds: number): void
  /** Calls back in the next turn of the event loop. */
  nextTurn(call: () => void): void
}

/**
 * Answers at most that wait at a time; one more, and the first goes. Clients that ask again as soon as they are answered
 * would find a server waiting that has work to do.
 */
const MOST = 16
/** The last milliseconds, in which the clock is polled instead of setting a timer. */
const POLLED = 2

interface Held {
  readonly end: number
  readonly release: () => void
}

/**
 * Answers that wait for their time. A timer waits for whole milliseconds from when it is set, and so reveals what fraction
 * of one the work took. Polling the clock in every turn of the event loop ends all waits alike: within 0.02 ms in the
 * median, instead of 0.15. One poll serves all, so many cost no more than one.
 */
export class HeldAnswers {
  readonly #timing: Timing
  /** The next one to go comes first. */
  readonly #held: Held[] = []
  #isPolling = false
  #alarm = Number.POSITIVE_INFINITY

  constructor(timing: Timing) {
    this.#timing = timing
  }

  /** Resolves at that time of the clock, or as soon as too many wait for later ones; undefined where it is over. */
  until(end: number): Promise<void> | undefined {
    if (end <= this.#timing.now()) return undefined
    return new Promise<void>((release) => {
      const after = this.#held.findLastIndex((other) => other.end <= end)
      this.#held.splice(after + 1, 0, { end, release })
      if (this.#held.length > MOST) this.#held.shift()?.release()
      this.#wait()
    })
  }

  #wait(): void {
    const [first] = this.#held
    if (first === undefined || this.#isPolling) return
    const wake = first.end - POLLED
    const left = wake - this.#timing.now()
    if (left <= 0) {
      this.#isPolling = true
      this.#timing.nextTurn(() => this.#poll())
    } else if (wake < this.#alarm) {
      this.#alarm = wake
      this.#timing.later(() => {
        this.#alarm = Number.POSITIVE_INFINITY
        this.#wait()
      }, Math.ceil(left))
    }
  }

  #poll(): void {
    this.#isPolling = false
    const now = this.#timing.now()
    while (this.#held[0] !== undefined && this.#held[0].end <= now) this.#held.shift()?.release()
    this.#wait()
  }
}
