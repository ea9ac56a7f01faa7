import { setTimeout as sleep } from 'node:timers/promises'

/** Whether it comes true within so many milliseconds. */
export const eventually = async (holds: () => boolean, within: number): Promise<boolean> => {
  for (const end = performance.now() + within; performance.now() < end; await sleep(10)) if (holds()) return true
  return holds()
}
