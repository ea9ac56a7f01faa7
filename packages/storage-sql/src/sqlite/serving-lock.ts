import Database from 'better-sqlite3'
import { AlreadyServing } from '../storage-not-usable.ts'
import { createPrivately, realName } from './private-file.ts'
import { asNotUsable, isBusy } from './sqlite-error.ts'

export interface ServingLock {
  /** Releasing twice is releasing once. */
  release(): void
}

/**
 * Says that this process serves the database, until it releases the lock or dies, however it dies: the lock is the
 * operating system's, on an empty file beside the database.
 * @throws {AlreadyServing} another process serves it
 * @throws {StorageNotUsable} the file of the lock cannot be created or opened
 */
export const lockForServing = async (file: string): Promise<ServingLock> => {
  const name = realName(file)
  const lock = `${name}.serving`
  try {
    createPrivately(lock)
    const connection = new Database(lock, { fileMustExist: true, timeout: 0 })
    try {
      connection.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      connection.close()
      throw error
    }
    return { release: () => connection.close() }
  } catch (error) {
    throw isBusy(error) ? new AlreadyServing(name, { cause: error }) : asNotUsable(error, lock)
  }
}
