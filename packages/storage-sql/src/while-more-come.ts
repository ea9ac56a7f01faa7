import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'

/** Milliseconds. */
const LONGEST_GATHERING = 5

/** Resolves when a turn of the event loop has brought no more of them, when there are enough, or after a moment. */
export const whileMoreCome = async (count: () => number, enough: number): Promise<void> => {
  const end = performance.now() + LONGEST_GATHERING
  let seen: number
  do {
    seen = count()
    await nextTurnOfTheLoop()
  } while (count() > seen && count() < enough && performance.now() < end)
}
