import { randomBytes } from 'node:crypto'
import type { Randomness } from '@rollcall/core'

/** The operating system's randomness. */
export const nodeRandomness: Randomness = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  fraction: () => Math.random(),
}
