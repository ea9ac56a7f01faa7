import { StorageNotUsable } from '../storage-not-usable.ts'
import { Connection } from './driver.ts'

const OLDEST_SQLITE = '3.51.3'
/** The first with it. */
const OLDEST_NODE = '24.15'

/** Opens a file that is there, without waiting for a lock. */
export const openFile = (file: string, readonly: boolean, setUp: (connection: Connection) => void): Connection => {
  const connection = new Connection(file, { readonly })
  try {
    requireSqlite(connection.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '')
    setUp(connection)
    // Reads the schema now, so that a locked or damaged file is found out here and not by the first statement.
    connection.prepare('SELECT 1 FROM sqlite_schema').get()
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Older ones can corrupt a database that two connections write and checkpoint at once.
 * @see https://sqlite.org/releaselog/3_51_3.html
 */
export const requireSqlite = (version: string): void => {
  if (version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) >= 0) return
  const message = `SQLite ${version} is too old: ${OLDEST_SQLITE} or later is needed. Install Node.js ${OLDEST_NODE} or later.`
  throw new StorageNotUsable('sqlite-version', message)
}
