import { AlreadyServing } from '../storage-not-usable.ts'
import { openFile } from './connection.ts'
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
    const connection = openFile(lock, false, (opened) => opened.exec('BEGIN EXCLUSIVE'))
    return { release: () => connection.close() }
  } catch (error) {
    throw isBusy(error) ? new AlreadyServing(name, { cause: error }) : asNotUsable(error, lock)
  }
}
