import type { LimitedAction, RateLimiter, RateLimitState } from '@rollcall/http-koa/host'
import type { PostgresClient } from '@rollcall/storage-sql/postgres'
import { LRUCache } from 'lru-cache'
import type { RateLimit } from './parse-rate-limit.ts'

/** A common table expression for the time of the server, by which all instances go. */
const CLOCK = 'clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)'

// A row whose window is over, or that a clock which was set back has left in the future, begins again; a minute is left
// for rows of statements that ran side by side.
const IS_CURRENT = 'known.expire BETWEEN excluded.expire - $2::bigint + 1 AND excluded.expire + 60000'
const COUNT = `WITH ${CLOCK}
  INSERT INTO rate_limit AS known (key, points, expire) SELECT $1::text, 1, now + $2::bigint FROM clock
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN ${IS_CURRENT} THEN known.points + 1 ELSE 1 END,
    expire = CASE WHEN ${IS_CURRENT} THEN known.expire ELSE excluded.expire END
  RETURNING points, expire - (SELECT now FROM clock) AS wait`

/** Rows of all limits, an hour after their window. */
const TIDY = `WITH ${CLOCK} DELETE FROM rate_limit USING clock WHERE expire < clock.now - 3600000`
const TIDY_EVERY = 300_000

/** How many are known to be refused without asking. */
const MOST_REFUSED = 10_000

/** Counts in the database, for all instances together, and by its clock. */
export class PostgresRateLimiter implements RateLimiter {
  readonly quota: number
  readonly window: number
  readonly #client: PostgresClient
  /** For as long as they are refused: they cost the database nothing until then. */
  readonly #refused = new LRUCache<string, true>({ max: MOST_REFUSED })
  #tidyAt = performance.now() + TIDY_EVERY

  constructor({ quota, window }: RateLimit, client: PostgresClient) {
    this.quota = quota
    this.window = window
    this.#client = client
  }

  async count(action: LimitedAction, key: string): Promise<RateLimitState> {
    const client = `${action} ${key}`
    const known = this.#refused.getRemainingTTL(client)
    if (known > 0) return { allowed: false, remaining: 0, resetIn: known }
    this.#tidyUp()
    const { rows } = await this.#client.query({
      name: 'rollcall_count_client',
      text: COUNT,
      values: [client, this.window],
    })
    const [points, wait] = ['points', 'wait'].map((name) => Number(rows[0]?.[name])) as [number, number]
    const [allowed, resetIn] = [points <= this.quota, Math.max(1, wait)]
    if (!allowed) this.#refused.set(client, true, { ttl: resetIn })
    return { allowed, remaining: Math.max(0, this.quota - points), resetIn }
  }

  #tidyUp(): void {
    if (performance.now() < this.#tidyAt) return
    this.#tidyAt = performance.now() + TIDY_EVERY
    // What is left is removed with a later one.
    this.#client.query({ text: TIDY }).catch(() => undefined)
  }
}
