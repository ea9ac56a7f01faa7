import type { Row } from '../shared/report.ts'
import type { Given } from '../shared/target.ts'
import { mailBombs } from './mail-bombs.ts'
import { negotiation } from './negotiation.ts'
import { pipelining } from './pipelining.ts'
import { slowClients } from './slow-clients.ts'
import { trail } from './trail.ts'
import { watching } from './watching.ts'

export interface AttackContext extends Given {
  /** Probes of each kind, if a figure depends on how many there are. */
  readonly samples: number
  /** With fewer variants, as for a test. */
  readonly isQuick?: boolean
}

export interface Attack {
  readonly name: string
  readonly about: string
  /** Both, if the store makes a difference. */
  readonly stores: readonly ('sqlite' | 'postgres')[]
  /** @throws {Error} it could not be carried out, so it proves nothing */
  run(context: AttackContext): Promise<readonly Row[]>
}

/** In the order in which they are carried out. */
export const ATTACKS: readonly Attack[] = [pipelining, negotiation, slowClients, trail, mailBombs, watching]
