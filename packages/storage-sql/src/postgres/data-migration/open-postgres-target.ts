import { lacksTables, UNFINISHED_MOVE } from '../../data-migration/database-state.ts'
import { MOVE_UNDER_WAY, type MovedTable } from '../../data-migration/moved-tables.ts'
import type { Cells, MovingTarget } from '../../data-migration/moving-end.ts'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { AUDIT_READER } from '../../tables/audit.ts'
import { columnsOf, keyOf } from '../../tables/table.ts'
import { DURABLE, durably } from '../durably.ts'
import { migratePostgres, missing } from '../migrate-postgres.ts'
import { asNotUsable } from '../postgres-error.ts'
import { type Ask, arraysOf, rowsIn, type Statement, type Value } from '../statement.ts'
import { postgresReader } from '../stores/run-methods.ts'
import { moveNotedIn, tablesIn } from '../whole-database.ts'
import { type ExclusiveConnection, openExclusively } from './exclusive-connection.ts'
import { answerBy, lastKey, postgresEnd, type Query, queryBy } from './postgres-end.ts'

/**
 * A database to move into; an empty one gets its tables. It is locked for everybody else as long as it is open.
 * @throws {StorageNotUsable} somebody works with it; or it is of an older or newer version, has something else in it, or cannot be reached
 */
export const openPostgresTarget = async (url: string): Promise<MovingTarget> => {
  const lone = await openExclusively(url)
  try {
    if (lacksTables(await tablesIn(lone.connection), lone.server)) {
      // Marked first: however this ends, the database must not pass for a new one.
      await lone.connection.query(`CREATE TABLE IF NOT EXISTS ${UNFINISHED_MOVE} (since bigint)`)
      await migratePostgres(url, { moving: true })
    }
    if ((await missing(lone.connection)).length > 0) {
      const message = `The database on ${lone.server} is not up to date. Run 'rollcall migrate'.`
      throw new StorageNotUsable('older-schema', message)
    }
    return targetOf(lone)
  } catch (error) {
    await lone.close()
    throw asNotUsable(error, lone.server)
  }
}

const targetOf = ({ connection, server, close }: ExclusiveConnection): MovingTarget => {
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
    last: (table) => lastKey(query, table),
    insert: (table, rows) => insert(query, table, rows),
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

const insert = async (query: Query, table: MovedTable, rows: readonly Cells[]): Promise<void> => {
  const columns = columnsOf(table)
  const values = columns.map((_, index) => rows.map((row) => row[index]))
  const into = `INSERT INTO ${table.name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE`
  await query(durably(`${into} SELECT * FROM unnest(${arraysOf(table, columns)})`), values)
}
