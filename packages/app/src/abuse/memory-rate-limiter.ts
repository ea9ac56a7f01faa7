import type { LimitedAction, RateLimiter, RateLimitState } from '@rollcall/http-koa/host'
import type { RateLimit } from './parse-rate-limit.ts'

/**
 * How many clients are remembered at once. Beyond, the ones that began longest ago are forgotten: counting does not stop a
 * client that has so many addresses, and must spend them all to be forgotten once.
 */
const MOST_CLIENTS = 50_000

interface Window {
  readonly endsAt: number
  count: number
}

/** Counts in the memory of this process, and of a limited number of clients. */
export class MemoryRateLimiter implements RateLimiter {
  readonly quota: number
  readonly window: number
  /** Of each client, that which began longest ago first; of some, the time is over. */
  readonly #windows = new Map<string, Window>()
  // Kept: a new iterator would have to step over every place where a client was forgotten.
  readonly #longestAgo = this.#windows.keys()

  constructor({ quota, window }: RateLimit) {
    this.quota = quota
    this.window = window
  }

  async count(action: LimitedAction, key: string): Promise<RateLimitState> {
    const client = `${action} ${key}`
    // Whole: with fractions a window can come out longer than it is.
    const now = Math.floor(performance.now())
    const known = this.#windows.get(client)
    const window = known !== undefined && now < known.endsAt ? known : this.#begin(client, now)
    window.count++
    const remaining = Math.max(0, this.quota - window.count)
    return { allowed: window.count <= this.quota, remaining, resetIn: window.endsAt - now }
  }

  #begin(client: string, now: number): Window {
    const window = { endsAt: now + this.window, count: 0 }
    this.#windows.delete(client)
    this.#windows.set(client, window)
    if (this.#windows.size > MOST_CLIENTS) {
      const { value } = this.#longestAgo.next()
      if (value !== undefined) this.#windows.delete(value)
    }
    return window
  }
}
