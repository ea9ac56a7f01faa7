import type { Attack } from './attack.ts'
import { decompression } from './decompression.ts'
import { doctoredBackups } from './doctored-backups.ts'
import { feedback } from './feedback/forged-feedback.ts'
import { mailBombs } from './mail-bombs/mail-bombs.ts'
import { negotiation } from './negotiation.ts'
import { pipelining } from './pipelining.ts'
import { plantedFiles } from './planted-files.ts'
import { slowClients } from './slow-clients.ts'
import { timing } from './timing/timing.ts'
import { tokens } from './tokens/forged-tokens.ts'
import { trailTampering } from './trail/trail-tampering.ts'
import { watching } from './watching/watching.ts'

const ALL: readonly Attack[] = [
  ...[decompression, pipelining, negotiation, slowClients, tokens, feedback],
  ...[plantedFiles, trailTampering, doctoredBackups, timing, watching, mailBombs],
]

/** By name, in the order in which they are carried out. */
export const ATTACKS: Readonly<Record<string, Attack>> = Object.fromEntries(ALL.map((attack) => [attack.name, attack]))
