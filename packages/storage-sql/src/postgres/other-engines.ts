import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'

type Asked = Pick<pg.ClientBase, 'query'>
type Pool = Pick<pg.Pool, 'connect'>

/** What speaks PostgreSQL's protocol and is not PostgreSQL, by what it says of its version. */
const ENGINES = [
  [/cockroachdb/i, 'CockroachDB'],
  [/-yb-|yugabyte/i, 'YugabyteDB'],
  [/redshift/i, 'Amazon Redshift'],
  [/spanner/i, 'Google Spanner'],
  [/materialize/i, 'Materialize'],
  [/risingwave/i, 'RisingWave'],
] as const

/** The name of the engine, if it is known and is not PostgreSQL. */
export const otherEngine = (version: string): string | undefined =>
  ENGINES.find(([pattern]) => pattern.test(version))?.[1]

const withoutLocks = (server: string, engine = 'not PostgreSQL itself', cause?: unknown): StorageNotUsable =>
  new StorageNotUsable(
    'settings',
    `The server ${server} is ${engine}, and does not keep the advisory locks of a session, by which instances wait for each other. Use PostgreSQL 15 or later.`,
    { cause },
  )

const engineOf = async (client: Asked): Promise<string | undefined> =>
  otherEngine((await client.query<{ version: string }>('SELECT version() AS version')).rows[0]?.version ?? '')

/**
 * To be called where a server does not know what every PostgreSQL knows.
 * @throws {StorageNotUsable} it is another engine
 */
export const refuseOtherEngine = async (client: Asked, server: string, cause: unknown): Promise<void> => {
  const engine = await engineOf(client).catch(() => undefined)
  if (engine !== undefined) throw withoutLocks(server, engine, cause)
}

// No number that anything else may lock by at the same time.
const LARGEST_LOCK = 2 ** 47

/**
 * Sees that what one session has locked, another cannot lock. Some engines answer as if they had, and do nothing.
 * @throws {StorageNotUsable} it can
 */
export const requireSessionLocks = async (pool: Pool, server: string): Promise<void> => {
  const holder = await pool.connect()
  try {
    const other = await pool.connect()
    try {
      const lock = randomInt(LARGEST_LOCK)
      const take = async (session: Asked): Promise<boolean> =>
        (await session.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS taken`)).rows[0]?.taken ===
        true
      const [held, taken] = [await take(holder), await take(other)]
      for (const [session, has] of [
        [holder, held],
        [other, taken],
      ] as const)
        if (has) await session.query(`SELECT pg_advisory_unlock(${lock})`)
      if (!held || taken) throw withoutLocks(server, await engineOf(holder))
    } finally {
      other.release()
    }
  } finally {
    holder.release()
  }
}
