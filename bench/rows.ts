import { Connection } from '../packages/storage-sql/src/sqlite/driver.ts'

/** What a `SELECT count(*)` finds in a database file, which others may have open. */
export const countRows = (file: string, query: string, ...parameters: readonly string[]): number => {
  const database = new Connection(file, { readonly: true })
  try {
    return (
      database
        .prepare<string[], number>(query)
        .pluck()
        .get(...parameters) ?? 0
    )
  } finally {
    database.close()
  }
}
