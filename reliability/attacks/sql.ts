import pg from 'pg'
import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'
import type { Target } from './target.ts'

const PATIENCE = 10_000

/** Runs statements on the database of the service, beside it. */
export const runSql = async ({ home, database }: Target, statements: readonly string[]): Promise<void> => {
  if (database === undefined) {
    const file = new Connection(`${home.data}/rollcall.db`, { timeout: PATIENCE })
    for (const statement of statements) file.exec(statement)
    file.close()
    return
  }
  const client = new pg.Client(database)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** What a query finds. */
export const rowsOf = async <Row extends object>({ home, database }: Target, query: string): Promise<Row[]> => {
  if (database === undefined) {
    const file = new Connection(`${home.data}/rollcall.db`, { readonly: true, timeout: PATIENCE })
    const rows = file.prepare<[], Row>(query).all()
    file.close()
    return rows
  }
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<Row>(query)
  await client.end()
  return rows
}
