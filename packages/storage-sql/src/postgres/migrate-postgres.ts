import type { Migration } from 'kysely/migration'
import type pg from 'pg'
import { requireNotBegun } from '../data-migration/database-state.ts'
import { POSTGRES_FAILPOINTS } from '../failpoints.ts'
import { POSTGRES_MIGRATIONS } from '../migrations/postgres/index.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { openPool, requireServer } from './connection.ts'
import { connectionSettings } from './connection-settings.ts'
import { DURABLE } from './durably.ts'
import { asNotUsable } from './postgres-error.ts'
import { tablesIn } from './whole-database.ts'

// Of two that migrate at once one waits for the other, which may build an index over millions of rows.
const LONGEST_STATEMENT = 3_600_000
/** Any number that nothing else locks by. */
const LOCK = '7309453671250917'

const KNOWN = Object.keys(POSTGRES_MIGRATIONS).sort()

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
    return await alone(pool, migrate)
  })

/**
 * The migrations that the database lacks.
 * @throws {StorageNotUsable} it cannot be reached, or is of a newer version
 */
export const pendingMigrations = (url: string): Promise<string[]> => withPool(url, missing)

const withPool = async <Result>(
  url: string,
  work: (pool: pg.Pool, server: string) => Promise<Result>,
): Promise<Result> => {
  const settings = connectionSettings(url)
  const pool = openPool(settings, () => undefined, LONGEST_STATEMENT)
  try {
    await requireServer(pool, settings.server)
    return await work(pool, settings.server)
  } catch (error) {
    throw asNotUsable(error, settings.server)
  } finally {
    await pool.end()
  }
}

/** @throws {StorageNotUsable} the database is of a newer version */
export const missing = async (pool: Pick<pg.Pool, 'query'>): Promise<string[]> => {
  const applied = await appliedTo(pool)
  const unknown = applied.find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) {
    const message = `The database is of a newer version (${unknown}). Run that version, or put back an older backup.`
    throw new StorageNotUsable('newer-schema', message)
  }
  return KNOWN.filter((name) => !applied.includes(name))
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

/** Whether it was ever migrated. */
const hasTables = async (pool: Pick<pg.Pool, 'query'>): Promise<boolean> =>
  (await pool.query("SELECT to_regclass('kysely_migration') AS name")).rows[0]?.name != null

const appliedTo = async (pool: Pick<pg.Pool, 'query'>): Promise<string[]> => {
  if (!(await hasTables(pool))) return []
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration')
  return rows.map(({ name }) => name)
}

const migrate = async (pool: pg.Pool): Promise<string[]> => {
  const { Kysely, PostgresDialect, sql } = await import('kysely')
  const { Migrator } = await import('kysely/migration')
  const migrations = await Promise.all(
    Object.entries(POSTGRES_MIGRATIONS).map(async ([name, load]): Promise<[string, Migration]> => {
      const { up } = await load()
      // All of them share one transaction. What Kysely keeps for itself was written before, and so is on disk with it.
      const durable: Migration['up'] = async (db) => {
        await sql.raw(`SELECT ${DURABLE}`).execute(db)
        await up(db)
      }
      return [name, { up: durable }]
    }),
  )
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => POSTGRES_FAILPOINTS.afterMigrationStatement.publish(query.sql),
  })
  const provider = { getMigrations: async () => Object.fromEntries(migrations) }
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
}
