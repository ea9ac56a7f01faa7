import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE = 60_000
const PAUSE = 20

/** @throws {Error} it does not come true within so many milliseconds */
export const waitUntil = async (
  comesTrue: () => boolean | Promise<boolean>,
  what: string,
  within = PATIENCE,
): Promise<void> => {
  for (const end = performance.now() + within; performance.now() < end; await sleep(PAUSE))
    if (await comesTrue()) return
  throw new Error(`waited in vain for: ${what}`)
}
