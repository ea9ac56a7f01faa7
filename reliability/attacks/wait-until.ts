import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE = 60_000

/** @throws {Error} it does not come true within a minute */
export const waitUntil = async (comesTrue: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(20)) if (await comesTrue()) return
  throw new Error(`waited in vain for: ${what}`)
}
