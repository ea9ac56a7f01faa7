import type { LimitedAction, RateLimiter, RateLimitState } from '@rollcall/http-koa/host'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { consume } from './consume.ts'
import type { RateLimit } from './parse-rate-limit.ts'

/**
 * How many clients are remembered at once, some 30 MB of them. Beyond, the ones that began longest ago are forgotten:
 * counting does not stop a client that has so many addresses, and must spend them all to be forgotten once.
 */
const MOST_CLIENTS = 50_000

/** Counts in the memory of this process, and of a limited number of clients. */
export class MemoryRateLimiter implements RateLimiter {
  readonly quota: number
  readonly window: number
  readonly #limiter: RateLimiterMemory
  readonly #mostClients: number
  /** Those that are counted, longest ago first, and some whose time is over. */
  readonly #clients = new Set<string>()
  // Kept: a new iterator would have to step over every place where a client was forgotten.
  readonly #longestAgo = this.#clients.values()

  constructor({ quota, window }: RateLimit, mostClients = MOST_CLIENTS) {
    this.quota = quota
    this.window = window
    this.#mostClients = mostClients
    this.#limiter = new RateLimiterMemory({ points: quota, duration: window / 1_000, keyPrefix: '' })
  }

  /** How many clients are remembered. */
  get clients(): number {
    return this.#clients.size
  }

  async count(action: LimitedAction, key: string): Promise<RateLimitState> {
    const client = `${action} ${key}`
    const { allowed, state } = await consume(this.#limiter, client)
    if (state.isFirstInDuration) await this.#remember(client)
    return { allowed, remaining: state.remainingPoints, resetIn: state.msBeforeNext }
  }

  async #remember(client: string): Promise<void> {
    this.#clients.delete(client)
    this.#clients.add(client)
    if (this.#clients.size <= this.#mostClients) return
    const { value } = this.#longestAgo.next()
    if (value === undefined) return
    this.#clients.delete(value)
    await this.#limiter.delete(value)
  }
}
