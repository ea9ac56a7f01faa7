import { randomBytes, randomFillSync } from 'node:crypto'
import type { Randomness } from '@rollcall/core'

const POOL = 4096

/** The operating system's randomness, fetched in pieces: a call for a few bytes costs as much as one for thousands. */
export const createNodeRandomness = (): Randomness => {
  const pool = Buffer.alloc(POOL)
  let used = POOL
  return {
    hex: (bytes) => {
      if (bytes > POOL) return randomBytes(bytes).toString('hex')
      if (used + bytes > POOL) {
        randomFillSync(pool)
        used = 0
      }
      const text = pool.toString('hex', used, used + bytes)
      // Values given out are not kept: a dump of this memory reveals no past link.
      pool.fill(0, used, used + bytes)
      used += bytes
      return text
    },
    fraction: () => Math.random(),
  }
}
