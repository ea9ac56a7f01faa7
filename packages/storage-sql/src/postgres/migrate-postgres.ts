import { setTimeout as sleep } from 'node:timers/promises'
import type { Migration } from 'kysely/migration'
import type pg from 'pg'
import { requireNotBegun, requireWhole } from '../data-migration/database-state.ts'
import { MOVE_UNDER_WAY } from '../data-migration/moved-tables.ts'
import { POSTGRES_FAILPOINTS } from '../failpoints.ts'
import { POSTGRES_MIGRATIONS } from '../migrations/postgres/index.ts'
import { lackingIn, type Migrations, outdated, runMigrations } from '../schema-version.ts'
import { connect } from './connection.ts'
import { isContention } from './postgres-error.ts'
import { DURABLE } from './statement.ts'

// Of two that migrate at once one waits for the other, which may build an index over millions of rows.
const LONGEST_STATEMENT = 3_600_000
/** Any number that nothing else locks by. */
const LOCK = '7309453671250917'

type Asked = Pick<pg.ClientBase, 'query'>

/**
 * Brings the database up to date; the names of the migrations that it took. All of them or none: a run that is killed is
 * as if it had not begun. Of two at once one does it, and the other waits (under an advisory lock). `moving` is for who
 * moves into it.
 * @throws {StorageNotUsable} it cannot be reached, is of a newer version, or a move into it was begun
 */
export const migratePostgres = (url: string, { moving = false } = {}): Promise<string[]> =>
  withPool(url, async (pool, server) => {
    if ((await missing(pool)).length === 0) return []
    if (!moving) requireNotBegun(await tablesIn(pool), server)
    return await alone(pool, migrateBesideOthers)
  })

/**
 * The migrations that the database lacks.
 * @throws {StorageNotUsable} it cannot be reached, or is of a newer version
 */
export const pendingMigrations = (url: string): Promise<string[]> => withPool(url, missing)

const withPool = <Result>(url: string, work: (pool: pg.Pool, server: string) => Promise<Result>): Promise<Result> =>
  connect(
    url,
    async (pool, server) => {
      const result = await work(pool, server)
      await pool.end()
      return result
    },
    { longestStatement: LONGEST_STATEMENT },
  )

/** @throws {StorageNotUsable} the database is of a newer version */
export const missing = async (asked: Asked): Promise<string[]> => {
  const { rows } = await asked.query<{ migrated: boolean }>(
    "SELECT to_regclass('kysely_migration') IS NOT NULL AS migrated",
  )
  if (!rows[0]?.migrated) return lackingIn([], POSTGRES_MIGRATIONS)
  const applied = await asked.query<{ name: string }>('SELECT name FROM kysely_migration')
  return lackingIn(
    applied.rows.map(({ name }) => name),
    POSTGRES_MIGRATIONS,
  )
}

// Kysely's own lock comes only after it has made its tables, over which two that begin at once would fall out.
const alone = async <Result>(pool: pg.Pool, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> => {
  const holder = await pool.connect()
  try {
    await holder.query(`SELECT set_config('lock_timeout', '0', false)`)
    await holder.query('SELECT pg_advisory_lock($1)', [LOCK])
    return await work(pool)
  } finally {
    // The lock goes with the connection.
    holder.release(true)
  }
}

// All of them share one transaction. What Kysely keeps for itself was written before, and so is on disk with it.
const durable = ({ up }: Migration): Migration => ({
  up: async (db) => {
    const { sql } = await import('kysely')
    await sql.raw(`SELECT ${DURABLE}`).execute(db)
    await up(db)
  },
})

const DURABLE_MIGRATIONS: Migrations = Object.fromEntries(
  Object.entries(POSTGRES_MIGRATIONS).map(([name, load]) => [name, async () => durable(await load())]),
)

const migrate = (pool: pg.Pool): Promise<string[]> =>
  runMigrations(
    DURABLE_MIGRATIONS,
    ({ PostgresDialect }) => new PostgresDialect({ pool }),
    (text) => POSTGRES_FAILPOINTS.afterMigrationStatement.publish(text),
  )

const MOST_TRIES = 20
/** Milliseconds. */
const LONGEST_PAUSE = 250

/**
 * An instance that works meanwhile locks the same tables in an order of its own, and PostgreSQL ends one of two that wait
 * for each other. A migration that it ends has changed nothing, and begins again.
 */
const migrateBesideOthers = async (pool: pg.Pool): Promise<string[]> => {
  for (let tries = 1; ; tries++)
    try {
      return await migrate(pool)
    } catch (error) {
      if (!isContention(error) || tries === MOST_TRIES) throw error
      await sleep(Math.random() * LONGEST_PAUSE)
    }
}

// Of the schemas on the search path; tables of extensions hold no data of a user.
const NAMES = `SELECT relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY (current_schemas(false)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend AS d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY name`

/** What a database has of its own: tables, and views, which have names of the same kind. */
export const tablesIn = async (asked: Asked): Promise<string[]> =>
  (await asked.query<{ name: string }>(NAMES)).rows.map(({ name }) => name)

/** What was noted of a move into the database; undefined where none is under way. */
export const moveNotedIn = async (asked: Asked): Promise<string | undefined> => {
  const text = 'SELECT value FROM instance WHERE name = $1'
  return (await asked.query<{ value: string }>(text, [MOVE_UNDER_WAY])).rows[0]?.value
}

/** @throws {StorageNotUsable} a move into the database was begun and not finished */
export const requireWholeDatabase = async (asked: Asked, server: string): Promise<void> => {
  requireNotBegun(await tablesIn(asked), server)
  requireWhole(await moveNotedIn(asked), server)
}

/** @throws {StorageNotUsable} the database is not up to date, or a move into it was begun and not finished */
export const requireUsable = async (asked: Asked, server: string): Promise<void> => {
  if ((await missing(asked)).length > 0) throw outdated(`on ${server}`)
  await requireWholeDatabase(asked, server)
}
