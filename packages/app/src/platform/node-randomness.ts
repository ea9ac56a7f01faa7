import { randomBytes } from 'node:crypto'
import type { Randomness } from '@rollcall/core'

export const nodeRandomness: Randomness = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  fraction: () => Math.random(),
}
