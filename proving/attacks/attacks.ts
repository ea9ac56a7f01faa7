import type { Attack } from './attack.ts'
import { decompression } from './decompression.ts'
import { feedback } from './feedback.ts'
import { mailBombs } from './mail-bombs.ts'
import { negotiation } from './negotiation.ts'
import { pipelining } from './pipelining.ts'
import { restores } from './restores.ts'
import { slowClients } from './slow-clients.ts'
import { tokens } from './tokens.ts'
import { trail } from './trail.ts'
import { watching } from './watching.ts'

/** In the order in which they are carried out. */
export const ATTACKS: readonly Attack[] = [
  decompression,
  pipelining,
  negotiation,
  slowClients,
  tokens,
  feedback,
  trail,
  restores,
  mailBombs,
  watching,
]
