import type { Row } from '../target/rows.ts'
import type { Given } from '../target/target.ts'

export interface AttackContext extends Given {
  /** Probes of each kind, if a figure depends on how many there are. */
  readonly samples: number
  /** With fewer variants, as for a test. */
  readonly isQuick?: boolean
}

export interface Attack {
  readonly name: string
  /** Both, if the store makes a difference. */
  readonly stores: readonly ('sqlite' | 'postgres')[]
  /** @throws {Error} it could not be carried out, so it proves nothing */
  run(context: AttackContext): Promise<readonly Row[]>
}
