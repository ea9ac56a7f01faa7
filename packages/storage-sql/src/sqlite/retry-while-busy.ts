import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from './sqlite-error.ts'

/** Milliseconds to wait for the lock of another process before giving up. */
export const BUSY_TIMEOUT = 5_000

const SHORTEST_PAUSE = 1
const LONGEST_PAUSE = 2

/** A pause of random length, so that two who wait for each other do not meet again. */
export const shortPause = async (): Promise<void> => {
  await sleep(SHORTEST_PAUSE + Math.random() * (LONGEST_PAUSE - SHORTEST_PAUSE))
}

/**
 * Tries until no other process holds the lock. SQLite's own waiting (`busy_timeout`) would freeze the event loop.
 * @throws SQLite's own error, once `timeout` milliseconds are over
 */
export const retryWhileBusy = async <Result>(attempt: () => Result, timeout = BUSY_TIMEOUT): Promise<Result> => {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    await shortPause()
  }
}
