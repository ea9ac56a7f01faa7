import type pg from 'pg'
import type { MovedTable } from '../../data-migration/moved-tables.ts'
import type { Cells, MovingEnd } from '../../data-migration/moving-end.ts'
import { columnsOf, keyOf } from '../../tables/table.ts'
import type { Connection } from '../connection.ts'
import { asNotUsable, discreet } from '../postgres-error.ts'
import { placeholders } from '../statement.ts'

/** Runs one statement on the one connection; its rows are lists of cells. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<Cells[]>

/** The same with the names of the columns. */
export const answerBy =
  (connection: Connection, server: string) =>
  async (text: string, values: readonly unknown[] = []): Promise<pg.QueryArrayResult<(string | number | null)[]>> => {
    try {
      return await connection.query({ text, values: [...values], rowMode: 'array' })
    } catch (error) {
      throw asNotUsable(discreet(error), server)
    }
  }

export const queryBy = (connection: Connection, server: string): Query => {
  const answer = answerBy(connection, server)
  return async (text, values) => (await answer(text, values)).rows
}

/** The rows but for those of this database alone; the last parameter has their keys. */
const where = ({ except, ...table }: MovedTable, ...conditions: readonly string[]): string => {
  const keys = (except ?? []).map((value) => `'${value}'`).join(', ')
  const all = keys === '' ? conditions : [...conditions, `${keyOf(table)[0]} NOT IN (${keys})`]
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`
}

const cell = (column: string, kind: string | undefined): string => (kind === 'flag' ? `${column}::integer` : column)

/** What is read of a database, by one connection. */
export const postgresEnd = (query: Query, name: string): Omit<MovingEnd, 'close'> => {
  const numberBy = async (text: string): Promise<number> => Number((await query(text))[0]?.[0] ?? 0)
  return {
    name,
    count: async (table) => await numberBy(`SELECT count(*) FROM ${table.name} ${where(table)}`),
    rows: async (table, after, limit) => {
      const key = keyOf(table).join(', ')
      const columns = columnsOf(table).map((column) => cell(column, table.columns[column]))
      const behind = after === undefined ? [] : [`(${key}) > (${placeholders(table.key, 2)})`]
      const text = `SELECT ${columns.join(', ')} FROM ${table.name} ${where(table, ...behind)} ORDER BY ${key} LIMIT $1`
      return await query(text, [limit, ...(after ?? [])])
    },
    counter: async (table) =>
      await numberBy(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${table.name}_${keyOf(table)[0]}_seq`),
  }
}

/** The key of the last row. */
export const lastKey = async (query: Query, table: MovedTable): Promise<Cells | undefined> => {
  const key = keyOf(table)
  const order = key.map((column) => `${column} DESC`).join(', ')
  return (await query(`SELECT ${key.join(', ')} FROM ${table.name} ${where(table)} ORDER BY ${order} LIMIT 1`))[0]
}
