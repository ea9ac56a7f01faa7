import { type Cell, insertInto } from '../../tables/table.ts'
import type { Value } from '../connection.ts'
import type { Changes } from '../driver.ts'
import type { Writer, WriteStatement } from '../writer.ts'

/**
 * Inserts rows of a table, given the values of these columns in order, 31 at most. A column without a value is left out:
 * to bind NULL takes several times as long as to bind a text. What columns are left out makes a statement of its own.
 */
export const inserter = (
  writer: Writer,
  table: string,
  columns: readonly string[],
): ((values: readonly (Cell | undefined)[]) => Changes) => {
  /** By the columns that have a value, as a mask. */
  const statements = new Map<number, WriteStatement>()
  const prepared = (mask: number): WriteStatement => {
    const known = statements.get(mask)
    if (known !== undefined) return known
    const given = columns.filter((_, place) => mask & (1 << place))
    const statement = writer.connection.prepare<Value[]>(insertInto(table, given))
    statements.set(mask, statement)
    return statement
  }
  return (values) => {
    const bound: Value[] = []
    let mask = 0
    for (let place = 0; place < values.length; place++) {
      const value = values[place]
      if (value === null || value === undefined) continue
      bound.push(value)
      mask |= 1 << place
    }
    return writer.write(prepared(mask), ...bound)
  }
}
