import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasErrorCode, unlessMissing } from '@rollcall/platform-node'

const LONGEST_HOLD = 5_000
const PAUSE = 20

/**
 * Does the work while no other process works on this file. A process that is killed leaves its lock behind, which is
 * broken once it has not changed hands for `longestHold` milliseconds.
 */
export const withFileLock = async <T>(file: string, work: () => Promise<T>, longestHold = LONGEST_HOLD): Promise<T> => {
  const lock = `${file}.lock`
  await acquire(lock, longestHold)
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

const acquire = async (lock: string, longestHold: number): Promise<void> => {
  let holder: string | undefined
  let since = performance.now()
  while (!(await create(lock))) {
    const present = await identityOf(lock)
    if (present !== holder) {
      holder = present
      since = performance.now()
    } else if (performance.now() - since > longestHold) await rm(lock, { force: true })
    await sleep(PAUSE)
  }
}

const create = async (lock: string): Promise<boolean> => {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Undefined where it is gone already. */
const identityOf = async (lock: string): Promise<string | undefined> => {
  const found = await unlessMissing(stat(lock, { bigint: true }))
  return found && `${found.ino} ${found.ctimeNs}`
}
