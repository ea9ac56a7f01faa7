import type pg from 'pg'
import type { Rows, Statement, Value } from './statement.ts'

/** What the server answers to a statement. */
export interface Answer extends Rows {
  /** What was done, and to how many rows, as the server says it: `INSERT 0 3`, or `COMMIT`. */
  readonly tag: string
}

/** Sends a statement at once, behind those that were sent before and are not answered yet. */
export const answerTo = async (
  connection: Pick<pg.ClientBase, 'query'>,
  { name, text, timeout }: Statement,
  values: readonly Value[],
): Promise<Answer> => {
  const query = { name, text, values: [...values], rowMode: 'array' as const, query_timeout: timeout }
  const { rows, fields, command, oid, rowCount } = await connection.query(query)
  return { rows, fields, tag: [command, oid, rowCount].filter((part) => part !== null).join(' ') }
}
