import { requireNotBegun, requireOurs } from '../../data-migration/database-state.ts'
import type { MovingEnd } from '../../data-migration/moving-end.ts'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { missing, requireWholeDatabase, tablesIn } from '../migrate-postgres.ts'
import { openExclusively } from './exclusive-connection.ts'
import { postgresEnd, queryBy } from './postgres-end.ts'

/**
 * A database to move away from. It is locked for everybody else as long as it is open, and reads see one snapshot.
 * @throws {StorageNotUsable} an instance or a command works with it; or it is not ours, not up to date, or cannot be reached
 */
export const openPostgresSource = async (url: string): Promise<MovingEnd> => {
  const { connection, server, close } = await openExclusively(url)
  try {
    const tables = await tablesIn(connection)
    requireNotBegun(tables, server)
    requireOurs(tables, server)
    if ((await missing(connection)).length > 0)
      throw new StorageNotUsable('older-schema', `The database on ${server} is not up to date. Run 'rollcall migrate'.`)
    await requireWholeDatabase(connection, server)
    const query = queryBy(connection, server)
    await query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return { ...postgresEnd(query, server), close }
  } catch (error) {
    await close()
    throw error
  }
}
