import type { MovedTable } from '../../data-migration/moved-tables.ts'
import type { Cell, Cells, MovingEnd } from '../../data-migration/moving-end.ts'
import { columnsOf, keyOf } from '../../tables/table.ts'
import type { Connection } from '../connection.ts'

/** The rows but for those of this database alone. */
export const kept = ({ except, ...table }: MovedTable): string => {
  const [key = ''] = keyOf(table)
  return except === undefined ? '' : `${key} NOT IN (${except.map((value) => `'${value}'`).join(', ')})`
}

const where = (...conditions: readonly string[]): string => {
  const all = conditions.filter((condition) => condition !== '')
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`
}

/** What is read of a file, by a connection that is in a transaction. */
export const sqliteEnd = (connection: Connection, name: string): Omit<MovingEnd, 'close'> => ({
  name,
  count: async (table) =>
    connection
      .prepare<[], number>(`SELECT count(*) FROM ${table.name} ${where(kept(table))}`)
      .pluck()
      .get() ?? 0,
  rows: async (table, after, limit) => {
    const key = keyOf(table).join(', ')
    const behind = after === undefined ? '' : `(${key}) > (${after.map(() => '+?').join(', ')})`
    const sql = `SELECT ${columnsOf(table).join(', ')} FROM ${table.name} ${where(behind, kept(table))} ORDER BY ${key} LIMIT +?`
    return connection
      .prepare<Cell[], Cells>(sql)
      .raw()
      .all(...(after ?? []), limit)
  },
  counter: async (table) =>
    connection.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table.name) ?? 0,
})
