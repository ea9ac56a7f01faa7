import { requireNotBegun, requireWhole } from '../data-migration/database-state.ts'
import { MOVE_UNDER_WAY } from '../data-migration/moved-tables.ts'
import { type Connection, openConnection } from './connection.ts'
import { asNotUsable } from './sqlite-error.ts'

/** What a database has of its own: tables, and views, which have names of the same kind. */
export const tablesIn = (connection: Connection): string[] =>
  connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all()

/**
 * The same of a file that may be a stranger's: nothing is changed.
 * @throws {StorageNotUsable} it is not a database, or cannot be read
 */
export const tablesOf = async (file: string): Promise<string[]> => {
  const connection = await openConnection(file, { readonly: true })
  try {
    return tablesIn(connection)
  } catch (error) {
    throw asNotUsable(error, file)
  } finally {
    connection.close()
  }
}

const NOTE = 'SELECT value FROM instance WHERE name = ?'

/** What was noted of a move into the file; undefined where none is under way. */
export const moveNotedIn = (connection: Connection): string | undefined =>
  connection.prepare<[string], string>(NOTE).pluck().get(MOVE_UNDER_WAY)

/** @throws {StorageNotUsable} a move into the file was begun and not finished */
export const requireWholeFile = (connection: Connection, file: string): void => {
  requireNotBegun(tablesIn(connection), file)
  requireWhole(moveNotedIn(connection), file)
}
