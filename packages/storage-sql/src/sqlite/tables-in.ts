import type { Connection } from './connection.ts'

/** What a database has of its own: tables, and views, which have names of the same kind. */
export const tablesIn = (connection: Connection): string[] =>
  connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all()
