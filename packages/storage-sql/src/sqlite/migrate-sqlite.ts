import { existsSync } from 'node:fs'
import { requireNotBegun } from '../data-migration/database-state.ts'
import { SQLITE_FAILPOINTS } from '../failpoints.ts'
import { SQLITE_MIGRATIONS } from '../migrations/sqlite/index.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { type Connection, openConnection } from './connection.ts'
import { createPrivately, realName } from './private-file.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { asNotUsable } from './sqlite-error.ts'
import { tablesIn } from './whole-file.ts'
import { Writer } from './writer.ts'

const KNOWN = Object.keys(SQLITE_MIGRATIONS).sort()
const MIGRATION_TIMEOUT = 60_000

/**
 * Brings the database up to date, creating it if it does not exist; returns the names of the migrations that it ran. All of
 * them or none: a run that is killed is as if it had not begun. Of two at once one does it, and the other waits.
 * `moving` is for who moves into it.
 * @throws {StorageNotUsable} it cannot be opened, is of a newer version, or a move into it was begun
 */
export const migrateSqlite = async (file: string, { moving = false } = {}): Promise<string[]> => {
  const name = realName(file)
  createPrivately(name)
  const connection = await openConnection(name)
  try {
    if (missing(connection).length === 0) return []
    if (!moving) requireNotBegun(tablesIn(connection), name)
    return await migrate(connection)
  } catch (error) {
    throw asNotUsable(error, name)
  } finally {
    connection.close()
  }
}

/**
 * The migrations that the database lacks.
 * @throws {StorageNotUsable} it cannot be opened, or is of a newer version
 */
export const pendingMigrations = async (file: string): Promise<string[]> => {
  const name = realName(file)
  if (!existsSync(name)) return KNOWN
  const connection = await openConnection(name)
  try {
    return missing(connection)
  } catch (error) {
    throw asNotUsable(error, name)
  } finally {
    connection.close()
  }
}

/** @throws {StorageNotUsable} the database is of a newer version */
export const missing = (connection: Connection): string[] => {
  const applied = appliedTo(connection)
  const unknown = applied.find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) {
    const message = `The database is of a newer version (${unknown}). Run that version, or put back an older backup.`
    throw new StorageNotUsable('newer-schema', message)
  }
  return KNOWN.filter((name) => !applied.includes(name))
}

const appliedTo = (connection: Connection): string[] => {
  const tables = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'kysely_migration'")
  if (tables.get() === undefined) return []
  return connection.prepare<[], string>('SELECT name FROM kysely_migration').pluck().all()
}

const migrate = async (connection: Connection): Promise<string[]> => {
  const { Kysely, SqliteDialect } = await import('kysely')
  const { Migrator } = await import('kysely/migration')
  const migrations = await Promise.all(
    Object.entries(SQLITE_MIGRATIONS).map(async ([name, load]) => [name, await load()] as const),
  )
  const writer = new Writer(connection)
  // Kysely takes SQLite for unable to roll back a change of the schema, so the transaction around it all is ours.
  await retryWhileBusy(() => writer.begin(), MIGRATION_TIMEOUT)
  try {
    const db = new Kysely<unknown>({
      dialect: new SqliteDialect({ database: connection }),
      log: ({ query }) => SQLITE_FAILPOINTS.afterMigrationStatement.publish(query.sql),
    })
    const provider = { getMigrations: async () => Object.fromEntries(migrations) }
    const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
    if (error !== undefined) throw error
    writer.commit()
    writer.checkpoint('truncate')
    return results.map(({ migrationName }) => migrationName)
  } finally {
    writer.abandon()
  }
}
