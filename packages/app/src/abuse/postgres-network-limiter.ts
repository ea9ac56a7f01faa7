import type { NetworkLimiter } from '@rollcall/http-koa/host'
import type { PostgresClient } from '@rollcall/storage-sql/postgres'
import { ADDRESS_WINDOW, type AddressMarks } from './address-marks.ts'
import { CLOCK, isCurrent, KnownRefusals } from './postgres-windows.ts'

const [KNOWN, NETWORK] = ['known', 'network'].map((row) => isCurrent(row, `${ADDRESS_WINDOW}`))
/** Counts the mark of an address, and its network if the mark is new. */
const COUNT = `WITH ${CLOCK},
  mark AS (
    INSERT INTO rate_limit AS known (key, points, expire) SELECT $1::text, 1, now + ${ADDRESS_WINDOW} FROM clock
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN ${KNOWN} THEN 2 ELSE 1 END,
      expire = CASE WHEN ${KNOWN} THEN known.expire ELSE excluded.expire END
    RETURNING points
  )
  INSERT INTO rate_limit AS network (key, points, expire)
    SELECT $2::text, 2 - mark.points, clock.now + ${ADDRESS_WINDOW} FROM mark, clock
  ON CONFLICT (key) DO UPDATE SET
    points = excluded.points + CASE WHEN ${NETWORK} THEN network.points ELSE 0 END,
    expire = CASE WHEN ${NETWORK} THEN network.expire ELSE excluded.expire END
  RETURNING points AS addresses, expire - (SELECT now FROM clock) AS wait, (SELECT points FROM mark) AS times`

/** Counts in the database, for all instances together. */
export class PostgresNetworkLimiter implements NetworkLimiter {
  readonly quota: number
  readonly window = ADDRESS_WINDOW
  readonly #markOf: AddressMarks
  readonly #client: PostgresClient
  readonly #refused: KnownRefusals

  /** `now` never goes back. */
  constructor(quota: number, markOf: AddressMarks, client: PostgresClient, now = () => performance.now()) {
    this.quota = quota
    this.#markOf = markOf
    this.#client = client
    this.#refused = new KnownRefusals(now)
  }

  refusedFor(network: string): number {
    return this.#refused.leftOf(network)
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
    this.#refused.note(network, wait)
    return addresses === this.quota && times === 1 ? 0 : Math.max(1, wait)
  }
}
