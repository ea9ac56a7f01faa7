import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds: only says that something hangs, on a machine however busy. */
const HANGS = 600_000

/** Looks until it holds. `what` is what did not come true, for the message. */
export const eventually = async (holds: () => Promise<boolean> | boolean, what = 'it'): Promise<void> => {
  for (const end = performance.now() + HANGS; !(await holds()); await sleep(10)) {
    if (performance.now() > end) throw new Error(`${what} did not come true in ${HANGS / 1_000} s`)
  }
}
