import { existsSync } from 'node:fs'
import { AlreadyServing } from '../storage-not-usable.ts'
import { type Connection, openFile } from './connection.ts'
import { createPrivately, realName } from './private-file.ts'
import { asNotUsable, isBusy } from './sqlite-error.ts'

export interface ServingLock {
  /** Releasing twice is releasing once. */
  release(): void
}

/**
 * Says that this process serves the database, until it releases the lock or dies, however it dies: the lock is the
 * operating system's, on an empty file beside the database. A second one says that it is not of the first release, which
 * does not know of it.
 * @throws {AlreadyServing} another process serves it
 * @throws {StorageNotUsable} the file of a lock cannot be created or opened
 */
export const lockForServing = async (file: string): Promise<ServingLock> => {
  const name = realName(file)
  const serving = lock(name, SERVING)
  try {
    const release = lock(name, SINCE_0_2)
    return {
      release: () => {
        release.close()
        serving.close()
      },
    }
  } catch (error) {
    serving.close()
    throw error
  }
}

/** Whether a process serves the database now; undefined where that cannot be seen. Nothing is created. */
export const isServed = (file: string): boolean | undefined => isLocked(file, SERVING)

/** Whether a process of the first release may be serving the database now. Nothing is created. */
export const isServedByOlder = (file: string): boolean =>
  // The newer lock is taken last and released first, so what serves without it may be older.
  isServed(file) !== false && isLocked(file, SINCE_0_2) !== true

const SERVING = '.serving'
const SINCE_0_2 = '.serving-2'

/** What the locks are on, by the ending of its name. */
export const LOCK_FILES = [SERVING, SINCE_0_2]

const lock = (realName: string, ending: string): Connection => {
  const name = `${realName}${ending}`
  try {
    createPrivately(name)
    return openFile(name, false, (opened) => opened.exec('BEGIN EXCLUSIVE'))
  } catch (error) {
    throw isBusy(error) ? new AlreadyServing(realName, { cause: error }) : asNotUsable(error, name)
  }
}

const isLocked = (file: string, ending: string): boolean | undefined => {
  try {
    const name = `${realName(file)}${ending}`
    // Reading takes a lock that the server's excludes.
    if (existsSync(name)) openFile(name, true, () => undefined).close()
    return false
  } catch (error) {
    return isBusy(error) ? true : undefined
  }
}
