import type { LimitedAction, RateLimiter, RateLimitState } from '@rollcall/http-koa/host'
import type { PostgresClient } from '@rollcall/storage-sql/postgres'
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js'
import { consume } from './consume.ts'
import type { RateLimit } from './rate-limit.ts'

/** Counts in the database, for all instances together. */
export class PostgresRateLimiter implements RateLimiter {
  readonly quota: number
  readonly window: number
  readonly #limiter: RateLimiterPostgres

  constructor({ quota, window }: RateLimit, client: PostgresClient) {
    this.quota = quota
    this.window = window
    this.#limiter = new RateLimiterPostgres({
      storeClient: client,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      points: quota,
      duration: window / 1_000,
      keyPrefix: '',
      // A client that was refused costs the database nothing until its window is over.
      inMemoryBlockOnConsumed: quota + 1,
    })
  }

  async count(action: LimitedAction, key: string): Promise<RateLimitState> {
    const { allowed, state } = await consume(this.#limiter, `${action} ${key}`)
    return { allowed, remaining: state.remainingPoints, resetIn: state.msBeforeNext }
  }
}
