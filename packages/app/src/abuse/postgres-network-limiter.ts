import type { NetworkLimiter } from '@rollcall/http-koa/host'
import type { PostgresClient } from '@rollcall/storage-sql/postgres'
import { ADDRESS_WINDOW, type AddressMarks } from './address-marks.ts'

/**
 * Counts the mark of an address, and its network if the mark is new. A row whose hour is over, or that a clock which was
 * set back has left in the future, begins again; a minute is left for rows of statements that ran side by side.
 */
const isCurrent = (row: string): string =>
  `${row}.expire BETWEEN excluded.expire - ${ADDRESS_WINDOW - 1} AND excluded.expire + 60000`

const COUNT = `WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now),
  mark AS (
    INSERT INTO rate_limit AS known (key, points, expire) SELECT $1::text, 1, now + ${ADDRESS_WINDOW} FROM clock
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN ${isCurrent('known')} THEN 2 ELSE 1 END,
      expire = CASE WHEN ${isCurrent('known')} THEN known.expire ELSE excluded.expire END
    RETURNING points
  )
  INSERT INTO rate_limit AS network (key, points, expire)
    SELECT $2::text, 2 - mark.points, clock.now + ${ADDRESS_WINDOW} FROM mark, clock
  ON CONFLICT (key) DO UPDATE SET
    points = excluded.points + CASE WHEN ${isCurrent('network')} THEN network.points ELSE 0 END,
    expire = CASE WHEN ${isCurrent('network')} THEN network.expire ELSE excluded.expire END
  RETURNING points AS addresses, expire - (SELECT now FROM clock) AS wait, (SELECT points FROM mark) AS times`

/** How many networks are known to be refused without asking. */
const MOST_REFUSED = 10_000

/** Counts in the database, for all instances together. */
export class PostgresNetworkLimiter implements NetworkLimiter {
  readonly quota: number
  readonly window = ADDRESS_WINDOW
  readonly #markOf: AddressMarks
  readonly #client: PostgresClient
  readonly #now: () => number
  /** Until when, by `now`. A network that was refused costs the database nothing until then. */
  readonly #refused = new Map<string, number>()

  /** `now` never goes back. */
  constructor(quota: number, markOf: AddressMarks, client: PostgresClient, now = () => performance.now()) {
    this.quota = quota
    this.#markOf = markOf
    this.#client = client
    this.#now = now
  }

  refusedFor(network: string): number {
    const until = this.#refused.get(network)
    if (until === undefined) return 0
    const left = until - this.#now()
    if (left <= 0) this.#refused.delete(network)
    return Math.max(0, left)
  }

  async count(network: string, email: string): Promise<number> {
    const refusedFor = this.refusedFor(network)
    const mark = refusedFor > 0 ? undefined : this.#markOf(network, email)
    if (mark === undefined) return refusedFor
    const values = [`address ${network} ${mark}`, `network ${network}`]
    const { rows } = await this.#client.query({ name: 'rollcall_count_address', text: COUNT, values })
    const [addresses, wait, times] = ['addresses', 'wait', 'times'].map((name) => Number(rows[0]?.[name])) as [
      number,
      number,
      number,
    ]
    if (addresses < this.quota) return 0
    this.#remember(network, wait)
    return addresses === this.quota && times === 1 ? 0 : Math.max(1, wait)
  }

  #remember(network: string, wait: number): void {
    this.#refused.set(network, this.#now() + wait)
    if (this.#refused.size <= MOST_REFUSED) return
    const [oldest] = this.#refused.keys()
    if (oldest !== undefined) this.#refused.delete(oldest)
  }
}
