import type pg from 'pg'
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
import { AUDIT_READER } from '../tables/audit.ts'
import { columnsOf, keyOf } from '../tables/table.ts'
import { type Connection, openPool } from './connection.ts'
import { connectionSettings } from './connection-settings.ts'
import {
  lacking,
  makeSchema,
  migratePostgres,
  moveNotedIn,
  requireKnown,
  requireWholeDatabase,
  tablesIn,
} from './migrate-postgres.ts'
import { asNotUsable, discreet } from './postgres-error.ts'
import { keepOut, requireServer } from './session.ts'
import { type Ask, arraysOf, DURABLE, durably, rowsIn, type Statement, type Value } from './statement.ts'
import { inPostgres, postgresReader } from './stores/run-methods.ts'

/**
 * A database to move away from. It is locked for everybody else as long as it is open, and reads see one snapshot.
 * @throws {StorageNotUsable} an instance or a command works with it; or it is not ours, not up to date, or cannot be reached
 */
export const openPostgresSource = async (url: string): Promise<MigrationEnd> => {
  const { connection, server, close } = await openExclusively(url)
  try {
    const tables = await tablesIn(connection)
    requireNotBegun(tables, server)
    requireOurs(tables, server)
    if ((await lacking(connection, server)).length > 0) throw outdated(`on ${server}`)
    await requireKnown(connection)
    await requireWholeDatabase(connection, server)
    const query = queryBy(connection, server)
    await query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return { ...postgresEnd(query, server), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * A database to move into; an empty one gets its tables. It is locked for everybody else as long as it is open.
 * @throws {StorageNotUsable} somebody works with it; or it is of an older or newer version, has something else in it, or cannot be reached
 */
export const openPostgresTarget = async (url: string): Promise<MigrationTarget> => {
  const lone = await openExclusively(url)
  try {
    if (lacksTables(await tablesIn(lone.connection), lone.server)) {
      await makeSchema(lone.connection)
      // Marked first: however this ends, the database must not pass for a new one.
      await lone.connection.query(`CREATE TABLE IF NOT EXISTS ${UNFINISHED_MOVE} (since bigint)`)
      await migratePostgres(url, { moving: true })
    }
    if ((await lacking(lone.connection, lone.server)).length > 0) throw outdated(`on ${lone.server}`)
    await requireKnown(lone.connection)
    return targetOf(lone)
  } catch (error) {
    await lone.close()
    throw asNotUsable(error, lone.server)
  }
}

const targetOf = ({ connection, server, close }: Awaited<ReturnType<typeof openExclusively>>): MigrationTarget => {
  const query = queryBy(connection, server)
  const answer = answerBy(connection, server)
  const ask: Ask = async (statement: Statement, ...values: Value[]): Promise<never[]> =>
    rowsIn(statement, await answer(statement.text, values)) as never[]
  return {
    ...postgresEnd(query, server),
    noted: () => moveNotedIn(connection),
    begin: async (note) => {
      const removed = 'WITH removed AS (DELETE FROM feed)'
      await query('BEGIN')
      await query(`SELECT ${DURABLE}`)
      await query(`${removed} INSERT INTO instance (name, value) VALUES ($1, $2)`, [MOVE_UNDER_WAY, note])
      await query(`DROP TABLE IF EXISTS ${UNFINISHED_MOVE}`)
      await query('COMMIT')
    },
    last: async (table) => (await query(lastKeyOf(table)))[0],
    insert: async (table, rows) => {
      const columns = columnsOf(table)
      const values = columns.map((_, index) => rows.map((row) => row[index]))
      const into = `INSERT INTO ${table.name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE`
      await query(durably(`${into} SELECT * FROM unnest(${arraysOf(table, columns)})`), values)
    },
    setCounter: async (table, value) => {
      const sequence = `${table.name}_${keyOf(table)[0]}_seq`
      await query(`SELECT setval('${sequence}', greatest(${value}, 1), ${value > 0})`)
    },
    resettle: async (name, value) => {
      const text = `INSERT INTO instance (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`
      await query(durably(text), [name, value])
    },
    finish: async () => {
      // What the planner knows is of the empty tables.
      await query('ANALYZE')
      await query(durably('DELETE FROM instance WHERE name = $1'), [MOVE_UNDER_WAY])
    },
    audit: postgresReader(AUDIT_READER)({ ask }),
    close,
  }
}

// To count millions of rows, or to look through them for what the planner should know.
const LONGEST_STATEMENT = 3_600_000

/**
 * One connection that has the database to itself; closing twice is closing once.
 * @throws {StorageNotUsable} it cannot be reached, or somebody works with it
 */
const openExclusively = async (url: string) => {
  const settings = connectionSettings(url)
  const { server } = settings
  const pool = openPool(settings, () => undefined, LONGEST_STATEMENT)
  try {
    await requireServer(pool, server)
    const connection = await pool.connect()
    let closing: Promise<void> | undefined
    const close = async (): Promise<void> => {
      // The lock goes with the connection.
      connection.release(true)
      await pool.end()
    }
    try {
      await connection.query("SELECT set_config('idle_in_transaction_session_timeout', '0', false)")
      await keepOut(connection, server)
    } catch (error) {
      connection.release(true)
      throw error
    }
    return {
      connection,
      server,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await pool.end()
    throw asNotUsable(error, server)
  }
}

/** Runs one statement on the one connection; its rows are lists of cells. */
type Query = (text: string, values?: readonly unknown[]) => Promise<Cells[]>

/** The same with the names of the columns. */
const answerBy =
  (connection: Connection, server: string) =>
  async (text: string, values: readonly unknown[] = []): Promise<pg.QueryArrayResult<(string | number | null)[]>> => {
    try {
      return await connection.query({ text, values: [...values], rowMode: 'array' })
    } catch (error) {
      throw asNotUsable(discreet(error), server)
    }
  }

const queryBy = (connection: Connection, server: string): Query => {
  const answer = answerBy(connection, server)
  return async (text, values) => (await answer(text, values)).rows
}

/** What is read of a database, by one connection. */
const postgresEnd = (query: Query, name: string): Omit<MigrationEnd, 'close'> => {
  const numberBy = async (text: string): Promise<number> => Number((await query(text))[0]?.[0] ?? 0)
  return {
    name,
    count: (table) => numberBy(countOf(table)),
    rows: async (table, after, limit) => {
      const cell = (column: string) => (table.columns[column] === 'flag' ? `${column}::integer` : column)
      return await query(inPostgres(rowsOf(table, after, cell)), [...(after ?? []), limit])
    },
    counter: (table) =>
      numberBy(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${table.name}_${keyOf(table)[0]}_seq`),
  }
}
