import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE = 60_000

/** @throws {Error} it does not come true within so many milliseconds, a minute by default */
export const waitUntil = async (
  comesTrue: () => boolean | Promise<boolean>,
  what: string,
  patience = PATIENCE,
): Promise<void> => {
  for (const end = performance.now() + patience; performance.now() < end; await sleep(20)) if (await comesTrue()) return
  throw new Error(`waited in vain for: ${what}`)
}
