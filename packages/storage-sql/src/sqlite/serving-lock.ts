import { existsSync } from 'node:fs'
import { sweepDrafts } from '@rollcall/platform-node'
import { AlreadyServing } from '../storage-not-usable.ts'
import type { Connection } from './driver.ts'
import { writeLeftLog } from './left-log.ts'
import { openFile } from './open-file.ts'
import { createPrivately, realName } from './private-file.ts'
import { asNotUsable, isBusy } from './sqlite-error.ts'

export interface ServingLock {
  /** Releasing twice is releasing once. */
  release(): void
}

/**
 * Says that this process serves the database, until it releases the lock or dies, however it dies: the lock is the
 * operating system's, on an empty file beside the database. The log that was left is on the disk then, and a
 * draft that a restore left when it was killed is gone.
 * @throws {AlreadyServing} another process serves it
 * @throws {StorageNotUsable} the file of the lock cannot be created or opened; or the disk does not take the log again
 */
export const lockForServing = async (file: string): Promise<ServingLock> => {
  const served = realName(file)
  const lock = lockBeside(served)
  try {
    sweepDrafts(served, 0)
    await writeLeftLog(served)
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    throw error
  }
}

const lockBeside = (served: string): Connection => {
  const name = `${served}${SERVING}`
  try {
    createPrivately(name)
    return openFile(name, false, (opened) => opened.exec('BEGIN EXCLUSIVE'))
  } catch (error) {
    throw isBusy(error) ? new AlreadyServing(served, { cause: error }) : asNotUsable(error, name)
  }
}

/** What the lock is on, by the ending of its name. */
export const SERVING = '.serving'

/** Whether a process serves the database now; undefined if that cannot be seen. Nothing is created. */
export const isServed = (file: string): boolean | undefined => {
  try {
    const name = `${realName(file)}${SERVING}`
    // Reading takes a lock that the server's excludes.
    if (existsSync(name)) openFile(name, true, () => undefined).close()
    return false
  } catch (error) {
    return isBusy(error) ? true : undefined
  }
}
