import { existsSync } from 'node:fs'
import { requireNotBegun, requireWhole } from '../data-migration/database-state.ts'
import { MOVE_UNDER_WAY, SQLITE_TABLES } from '../data-migration/migrated-tables.ts'
import { SQLITE_MIGRATIONS } from '../migrations/sqlite/index.ts'
import {
  type AppliedMigration,
  hasMigrations,
  lackingIn,
  MIGRATION_TABLE,
  type Migrations,
  needsOf,
  newerIn,
  notAsMigrated,
  otherSchema,
  outdated,
  requireNoneNewer,
  requireTables,
} from '../schema-version.ts'
import { INSTANCE } from '../tables/audit.ts'
import { type Connection, pluck, withConnection } from './connection.ts'
import { createPrivately, realName } from './private-file.ts'
import { asNotUsable, isOfSchema, retryWhileBusy } from './sqlite-error.ts'
import { Writer } from './writer.ts'

const MIGRATION_TIMEOUT = 60_000

interface MigrationOptions {
  /** For who moves into the database. */
  readonly moving?: boolean
  /** Those of this version by default. */
  readonly migrations?: Migrations
  /** Called with a sentence before a migration of tables that may have rows: nothing else runs until it is done. */
  readonly onWait?: ((text: string) => void) | undefined
}

/**
 * Brings the database up to date, creating it if it does not exist; returns the names of the migrations that it ran. All of
 * them or none: a run that is killed is as if it had not begun. Of two at once one does it, and the other waits.
 * @throws {StorageNotUsable} it cannot be opened, is of a newer version, or a move into it was begun
 */
export const migrateSqlite = async (
  file: string,
  { moving = false, migrations = SQLITE_MIGRATIONS, onWait }: MigrationOptions = {},
): Promise<string[]> => {
  const name = realName(file)
  createPrivately(name)
  return await lookInto(name, async (connection) => {
    if (lacking(connection, name, migrations).length === 0) return []
    if (!moving) requireNotBegun(tablesIn(connection), name)
    try {
      return await migrate(connection, migrations, onWait)
    } catch (error) {
      throw isOfSchema(error) ? notAsMigrated(name, 'Name another file in ROLLCALL_DATABASE_URL.', error) : error
    }
  })
}

/**
 * The migrations that the database lacks.
 * @throws {StorageNotUsable} it cannot be opened, is of a newer version, or is not what its migrations made
 */
export const pendingMigrations = async (file: string): Promise<string[]> => {
  const name = realName(file)
  if (!existsSync(name)) return lackingIn([], SQLITE_MIGRATIONS)
  return await lookInto(name, (connection) => lacking(connection, name))
}

/** @throws {StorageNotUsable} the file cannot be used */
const lookInto = async <Result>(...[file, work, kind]: Parameters<typeof withConnection<Result>>): Promise<Result> => {
  try {
    return await withConnection(file, work, kind)
  } catch (error) {
    throw asNotUsable(error, file)
  }
}

/** @throws {StorageNotUsable} the database is of a newer version on which this one does not work */
export const missing = (connection: Connection, migrations = SQLITE_MIGRATIONS): string[] =>
  lackingIn(appliedTo(connection), migrations)

/** The names of migrations of a newer version, on which this one works. */
export const newerThanThis = (connection: Connection): string[] =>
  newerIn(appliedTo(connection), SQLITE_MIGRATIONS).map(({ name }) => name)

/** @throws {StorageNotUsable} the database is of a newer version, be it one on which this one works */
export const requireKnown = (connection: Connection): void => requireNoneNewer(appliedTo(connection), SQLITE_MIGRATIONS)

/** @throws {StorageNotUsable} what they are noted in is something else */
export const appliedTo = (connection: Connection): AppliedMigration[] => {
  return hasMigrations(pluck(connection, 'SELECT name FROM pragma_table_info(?)', MIGRATION_TABLE))
    ? connection.prepare<[], AppliedMigration>(`SELECT name, needs FROM ${MIGRATION_TABLE} ORDER BY name`).all()
    : []
}

const migrate = async (
  connection: Connection,
  migrations: Migrations,
  onWait: MigrationOptions['onWait'],
): Promise<string[]> => {
  const writer = new Writer(connection)
  await retryWhileBusy(() => writer.begin(), MIGRATION_TIMEOUT)
  try {
    const lacks = missing(connection, migrations)
    const isNew = appliedTo(connection).length === 0
    runMigrations(connection, lacks, migrations, (name) => {
      if (!isNew) onWait?.(`the migration ${name} changes the tables; nothing else is done meanwhile`)
    })
    writer.commit()
    writer.checkpoint('truncate')
    return lacks
  } finally {
    writer.abandon()
  }
}

/** Runs them and notes that they were run, in the transaction that the connection is in. */
export const runMigrations = (
  connection: Connection,
  names: readonly string[],
  migrations = SQLITE_MIGRATIONS,
  onBegin: (name: string) => void = () => undefined,
): void => {
  connection.exec(MAKE_TABLE)
  const note = connection.prepare(`INSERT INTO ${MIGRATION_TABLE} (name, needs) VALUES (?, ?)`)
  for (const name of names) {
    onBegin(name)
    for (const statement of migrations[name]?.statements ?? []) {
      connection.exec(statement)
    }
    note.run(name, needsOf(name, migrations))
  }
}

const MAKE_TABLE = `CREATE TABLE IF NOT EXISTS ${MIGRATION_TABLE} (name TEXT PRIMARY KEY, needs TEXT NOT NULL) STRICT, WITHOUT ROWID`

/** What a database has of its own: tables, and views, which have names of the same kind. */
export const tablesIn = (connection: Connection): string[] =>
  pluck(
    connection,
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  )

/**
 * The same of a file that may be a stranger's: nothing is changed.
 * @throws {StorageNotUsable} it is not a database, or cannot be read
 */
export const tablesOf = (file: string): Promise<string[]> => lookInto(file, tablesIn, { readonly: true })

/** A value that was settled. */
export const recallFrom = (connection: Connection, name: string): string | undefined =>
  pluck<string>(connection, 'SELECT value FROM instance WHERE name = ?', name)[0]

/** What was noted of a move into the file; undefined if none is under way. */
export const moveNotedIn = (connection: Connection): string | undefined => recallFrom(connection, MOVE_UNDER_WAY)

/** @throws {StorageNotUsable} a move into the file was begun and not finished, or it cannot be told */
export const requireWholeFile = (connection: Connection, file: string): void => {
  const tables = tablesIn(connection)
  requireNotBegun(tables, file)
  if (!tables.includes(INSTANCE.name)) throw otherSchema(file, `it lacks ${INSTANCE.name}`)
  requireWhole(moveNotedIn(connection), file)
}

const TABLES_AND_COLUMNS = `SELECT name FROM sqlite_schema WHERE type = 'table' UNION ALL
  SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'`

/**
 * The migrations that the database lacks; if none, it has what they make, as far as this version knows it.
 * @throws {StorageNotUsable} it lacks a table or a column, or is of a newer version on which this one does not work
 */
const lacking = (connection: Connection, file: string, migrations = SQLITE_MIGRATIONS): string[] => {
  const applied = appliedTo(connection)
  const names = lackingIn(applied, migrations)
  if (names.length === 0 && newerIn(applied, SQLITE_MIGRATIONS).length === 0)
    requireTables(pluck(connection, TABLES_AND_COLUMNS), SQLITE_TABLES, file)
  return names
}

/**
 * @throws {StorageNotUsable} the database is not up to date, lacks what it should have, or a move into it was begun and
 * not finished
 */
export const requireUsable = (connection: Connection, file: string): void => {
  if (lacking(connection, file).length > 0) throw outdated(file)
  requireWholeFile(connection, file)
}
