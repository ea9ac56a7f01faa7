import { existsSync } from 'node:fs'
import { lacksTables, requireNotBegun, requireOurs, UNFINISHED_MOVE } from '../data-migration/database-state.ts'
import { MOVE_UNDER_WAY } from '../data-migration/migrated-tables.ts'
import {
  type Cells,
  countOf,
  lastKeyOf,
  type MigrationEnd,
  type MigrationTarget,
  rowsOf,
} from '../data-migration/migration-end.ts'
import { outdated } from '../schema-version.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { AUDIT_READER } from '../tables/audit.ts'
import { type Cell, columnsOf, insertInto } from '../tables/table.ts'
import { asynchronous } from './asynchronous.ts'
import { type Connection, openConnection, pluck, withConnection } from './connection.ts'
import {
  migrateSqlite,
  missing,
  moveNotedIn,
  pendingMigrations,
  requireKnown,
  requireWholeFile,
  tablesOf,
} from './migrate-sqlite.ts'
import { createPrivately, realName } from './private-file.ts'
import { schemaFaults } from './schema-faults.ts'
import { lockForServing } from './serving-lock.ts'
import { asNotUsable, retryWhileBusy } from './sqlite-error.ts'
import { sqliteReader } from './stores/run-methods.ts'
import { Writer } from './writer.ts'

/**
 * A database file to move away from. No server works on it, and no command writes to it, as long as it is open.
 * @throws {AlreadyServing} a server works on it
 * @throws {StorageNotUsable} it is not there, not ours, not up to date, or cannot be read
 */
export const openSqliteSource = async (file: string): Promise<MigrationEnd> => {
  const name = realName(file)
  if (!existsSync(name)) throw new StorageNotUsable('not-accessible', `There is no database ${name}.`)
  const tables = await tablesOf(name)
  requireNotBegun(tables, name)
  requireOurs(tables, name)
  const serving = await lockForServing(name)
  try {
    const connection = await openConnection(name)
    try {
      if (missing(connection).length > 0) throw outdated(name)
      requireWholeFile(connection, name)
      await requireSchema(connection, name)
      // Keeps commands from writing, too; they say that it is busy.
      await retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'))
      const close = async (): Promise<void> => {
        connection.close()
        serving.release()
      }
      return { ...sqliteEnd(connection, name), close }
    } catch (error) {
      connection.close()
      throw asNotUsable(error, name)
    }
  } catch (error) {
    serving.release()
    throw error
  }
}

/** Bytes of SQLite's log that are brought into the file. */
const LONG_LOG = 64 * 1024 * 1024
const PAGE = 4_096

/**
 * A database file to move into, created if it is absent. No server works on it as long as it is open.
 * @throws {AlreadyServing} a server works on it
 * @throws {StorageNotUsable} it is of an older or newer version, has something else in it, or cannot be written
 */
export const openSqliteTarget = async (file: string): Promise<MigrationTarget> => {
  const name = realName(file)
  const tables = existsSync(name) ? await tablesOf(name) : []
  const bare = lacksTables(tables, name)
  const serving = await lockForServing(name)
  try {
    if (bare) await makeTables(name)
    if ((await pendingMigrations(name)).length > 0) throw outdated(name)
    const connection = await openConnection(name)
    const close = async (): Promise<void> => {
      connection.close()
      serving.release()
    }
    try {
      await requireSchema(connection, name)
    } catch (error) {
      connection.close()
      throw error
    }
    return targetOf(connection, name, close)
  } catch (error) {
    serving.release()
    throw asNotUsable(error, name)
  }
}

/** Marked first: however this ends, the database must not pass for a new one. */
const makeTables = async (file: string): Promise<void> => {
  createPrivately(file)
  const text = `CREATE TABLE IF NOT EXISTS ${UNFINISHED_MOVE} (since INTEGER) STRICT`
  await withConnection(file, (connection) => retryWhileBusy(() => connection.exec(text)))
  await migrateSqlite(file, { moving: true })
}

const targetOf = (connection: Connection, name: string, close: () => Promise<void>): MigrationTarget => {
  const writer = new Writer(connection)
  /** All of it or nothing, on disk once this resolves. */
  const unit = async (work: () => void): Promise<void> => {
    try {
      await retryWhileBusy(() => writer.begin())
      work()
      writer.commit()
      if (writer.logState().logged * PAGE > LONG_LOG) writer.checkpoint('truncate')
    } catch (error) {
      writer.abandon()
      throw asNotUsable(error, name)
    }
  }
  return {
    ...sqliteEnd(connection, name),
    noted: async () => moveNotedIn(connection),
    begin: (note) =>
      unit(() => {
        connection.prepare('DELETE FROM feed').run()
        connection.prepare('INSERT INTO instance (name, value) VALUES (?, ?)').run(MOVE_UNDER_WAY, note)
        connection.exec(`DROP TABLE IF EXISTS ${UNFINISHED_MOVE}`)
      }),
    last: async (table) => connection.prepare<[], Cells>(lastKeyOf(table)).raw().get(),
    insert: (table, rows) => {
      const insert = connection.prepare<Cell[]>(insertInto(table.name, columnsOf(table)))
      return unit(() => {
        for (const row of rows) insert.run(...row)
      })
    },
    setCounter: (table, value) =>
      unit(() => {
        const { changes } = connection
          .prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?')
          .run(value, table.name)
        if (changes === 0)
          connection.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table.name, value)
      }),
    finish: () =>
      unit(() => {
        connection.prepare('DELETE FROM instance WHERE name = ?').run(MOVE_UNDER_WAY)
      }),
    audit: asynchronous(sqliteReader(AUDIT_READER, connection), async (call, ...parameters) => call(...parameters)),
    close: async () => {
      if (connection.open) writer.checkpoint('truncate')
      await close()
    },
  }
}

/**
 * What is the host's own is left alone: but nothing of it may be on a table of ours.
 * @throws {StorageNotUsable} a trigger was added, say, or a table is another one; or it is of a newer version
 */
const requireSchema = async (connection: Connection, name: string): Promise<void> => {
  requireKnown(connection)
  const [other] = schemaFaults(connection, { own: 'any' })
  if (other === undefined) return
  const message = `The schema of the database ${name} is not that of its version: ${other}. Undo that, or take another database. Nothing was changed.`
  throw new StorageNotUsable('damaged', message)
}

/** What is read of a file, by a connection that is in a transaction. */
const sqliteEnd = (connection: Connection, name: string): Omit<MigrationEnd, 'close'> => ({
  name,
  count: async (table) => pluck<number>(connection, countOf(table))[0] ?? 0,
  rows: async (table, after, limit) =>
    connection
      .prepare<Cell[], Cells>(rowsOf(table, after))
      .raw()
      .all(...(after ?? []), limit),
  counter: async (table) =>
    pluck<number>(connection, 'SELECT seq FROM sqlite_sequence WHERE name = ?', table.name)[0] ?? 0,
})
