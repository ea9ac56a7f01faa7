import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { isConnectionLoss, isForbidden } from './postgres-error.ts'

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
const otherEngine = (version: string): string | undefined => ENGINES.find(([pattern]) => pattern.test(version))?.[1]

const UNNAMED = 'not PostgreSQL itself'

const withoutLocks = (server: string, engine = UNNAMED, cause?: unknown): StorageNotUsable =>
  new StorageNotUsable(
    'settings',
    `The server ${server} is ${engine}, and does not keep the advisory locks of a session, by which instances wait for each other. Use PostgreSQL 15 or later.`,
    { cause },
  )

const engineOf = async (client: Asked): Promise<string | undefined> =>
  otherEngine((await client.query<{ version: string }>('SELECT version() AS version')).rows[0]?.version ?? '')

/** A setting, a function or a table that every PostgreSQL has, or the syntax of it. */
const isUnknownToServer = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:42|0A|22)/.test(String(error.code)) &&
  !(isForbidden(error) || isConnectionLoss(error))

const asking =
  (unnamed?: string) =>
  async <Answer>(client: Asked, server: string, ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await ask()
    } catch (error) {
      if (!isUnknownToServer(error)) throw error
      const engine = (await engineOf(client).catch(() => undefined)) ?? unnamed
      throw engine === undefined ? error : withoutLocks(server, engine, error)
    }
  }

/**
 * Asks for what every PostgreSQL has.
 * @throws {StorageNotUsable} the server does not know it, and is an engine that is known
 */
export const askPostgres = asking()

/**
 * The same for the advisory locks of a session.
 * @throws {StorageNotUsable} the server does not know them
 */
export const askForLocks = asking(UNNAMED)

// Below the half of a lock's number that the server shows apart.
const LARGEST_LOCK = 2 ** 31

const HELD = (lock: number): string => `SELECT count(*)::integer AS held FROM pg_locks
  WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted AND classid = 0 AND objid = ${lock}`

/**
 * Sees that the server keeps what a session has locked. Some engines answer as if they had, and do nothing. It takes one
 * session, as a pooler may have no more.
 * @throws {StorageNotUsable} it does not
 */
export const requireSessionLocks = async (pool: Pool, server: string): Promise<void> => {
  const session = await pool.connect()
  try {
    const lock = randomInt(LARGEST_LOCK)
    const held = await askForLocks(session, server, async () => {
      await session.query(`SELECT pg_advisory_lock(${lock})`)
      const held = await heldBy(session, lock)
      await session.query(`SELECT pg_advisory_unlock(${lock})`)
      return held
    })
    if (!held) throw withoutLocks(server, await engineOf(session))
  } finally {
    session.release()
  }
}

const heldBy = async (session: Asked, lock: number): Promise<boolean> => {
  try {
    return (await session.query<{ held: number }>(HELD(lock))).rows[0]?.held === 1
  } catch (error) {
    // Every role may read the locks, unless an administrator has forbidden it.
    if (isForbidden(error)) return true
    throw error
  }
}
