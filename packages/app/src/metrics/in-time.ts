import { setTimeout as sleep } from 'node:timers/promises'
import { sharing } from './sharing.ts'

/** Milliseconds that a look at storage may take: less than Prometheus waits for all of the metrics. */
const LONGEST_LOOK = 3_000

/** Gives up after a while. A storage that hangs is not asked again before it has answered, or failed. */
export const inTime = <Found>(look: () => Promise<Found>): (() => Promise<Found>) => {
  const shared = sharing(look)
  return async () => {
    const over = new AbortController()
    const late = sleep(LONGEST_LOOK, undefined, { signal: over.signal }).then(() => {
      throw new Error(`Storage did not answer within ${LONGEST_LOOK} ms.`)
    })
    try {
      return await Promise.race([shared(), late])
    } finally {
      over.abort()
    }
  }
}
