import { existsSync } from 'node:fs'
import { requireNotBegun, requireOurs } from '../../data-migration/database-state.ts'
import type { MovingEnd } from '../../data-migration/moving-end.ts'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { openConnection } from '../connection.ts'
import { missing, requireWholeFile, tablesOf } from '../migrate-sqlite.ts'
import { realName } from '../private-file.ts'
import { lockForServing } from '../serving-lock.ts'
import { asNotUsable, retryWhileBusy } from '../sqlite-error.ts'
import { sqliteEnd } from './sqlite-end.ts'

/**
 * A database file to move away from. No server works on it, and no command writes to it, as long as it is open.
 * @throws {AlreadyServing} a server works on it
 * @throws {StorageNotUsable} it is not there, not ours, not up to date, or cannot be read
 */
export const openSqliteSource = async (file: string): Promise<MovingEnd> => {
  const name = realName(file)
  if (!existsSync(name)) throw new StorageNotUsable('not-accessible', `There is no database ${name}.`)
  const tables = await tablesOf(name)
  requireNotBegun(tables, name)
  requireOurs(tables, name)
  const serving = await lockForServing(name)
  try {
    const connection = await openConnection(name, { shared: true })
    try {
      if (missing(connection).length > 0)
        throw new StorageNotUsable('older-schema', `The database ${name} is not up to date. Run 'rollcall migrate'.`)
      requireWholeFile(connection, name)
      // Keeps commands from writing, too; they say that it is busy.
      await retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'))
      const close = async (): Promise<void> => {
        connection.close()
        serving.release()
      }
      return { ...sqliteEnd(connection, name), close }
    } catch (error) {
      connection.close()
      throw asNotUsable(error, name)
    }
  } catch (error) {
    serving.release()
    throw error
  }
}
