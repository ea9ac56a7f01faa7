import type { Connection, Value } from '../connection.ts'

/** The first column of every row. */
export const pluck = <Found>(connection: Connection, sql: string, ...values: Value[]): Found[] =>
  connection
    .prepare<Value[], Found>(sql)
    .pluck()
    .all(...values)
