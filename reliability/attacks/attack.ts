import type { StoreName } from '../../proving/shared/report.ts'
import type { Program } from '../../proving/shared/service.ts'

/** What an attack has done, and what it may do at most. */
export interface Figure {
  readonly name: string
  readonly figure: number
  /** Undefined where nothing is promised, so that the figure is only shown. */
  readonly bound: number | undefined
  readonly unit: string
  /** What explains the figure, such as the worst case. */
  readonly note?: string | undefined
}

/** What attacks need to run. */
export interface AttackContext {
  readonly store: StoreName
  /** Of a PostgreSQL server, where the store is to be on one. */
  readonly server: string | undefined
  /** The product as it is to be attacked. */
  readonly product: () => Program
  /** Probes of each kind, where a figure depends on how many there are. */
  readonly samples: number
  /** With fewer variants, as for a test. */
  readonly isQuick?: boolean
  /** Called with lines about the progress. */
  readonly log: (line: string) => void
}

export interface Attack {
  readonly name: string
  /** Where the store makes a difference, both of them. */
  readonly stores: readonly StoreName[]
  /** @throws {Error} it could not be carried out, so it proves nothing */
  run(context: AttackContext): Promise<readonly Figure[]>
}

export const isWithin = ({ figure, bound }: Figure): boolean => bound === undefined || figure <= bound

/** How many of several variants got through, and which. */
export const counted = (name: string, variants: number, through: readonly string[]): Figure => ({
  name: `${name} (${variants} variants)`,
  figure: through.length,
  bound: 0,
  unit: '',
  note: through.length > 0 ? through.join(', ') : undefined,
})
