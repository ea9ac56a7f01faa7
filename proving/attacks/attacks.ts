import type { Attack } from './attack.ts'
import { mailBombs } from './mail-bombs.ts'
import { negotiation } from './negotiation.ts'
import { pipelining } from './pipelining.ts'
import { slowClients } from './slow-clients.ts'
import { trail } from './trail.ts'
import { watching } from './watching.ts'

/** In the order in which they are carried out. */
export const ATTACKS: readonly Attack[] = [pipelining, negotiation, slowClients, trail, mailBombs, watching]
