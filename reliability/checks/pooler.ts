import type { Finding } from '../finding.ts'
import type { Options } from '../options.ts'
import { runPooler, type TroubleResult } from '../pooler/run-pooler.ts'
import type { Program } from '../service/program.ts'
import type { CheckReport } from './check.ts'

/** A PgBouncer in front of PostgreSQL that goes away, or whose server does, under load. */
export const pooler = async (
  { troubles, seed, rate, fromSource }: Options,
  product: () => Program,
  tell: (line: string) => void,
): Promise<CheckReport> => {
  const program = fromSource ? undefined : product()
  const progress = (done: number, findings: readonly Finding[]): void => {
    if (done % 5 === 0) tell(`pooler: ${done} of ${troubles} troubles, ${findings.length} findings`)
  }
  const { findings, results } = await runPooler({ troubles, seed, rate, program, progress })
  const more = `${rate === undefined ? '' : ` --rate ${rate}`}${fromSource ? ' --source' : ''}`
  return {
    name: 'a pooler that goes away',
    store: 'postgres',
    replay: `--pooler --troubles ${troubles} --seed ${seed}${more}`,
    findings,
    rows: results.map(rowOf),
  }
}

const rowOf = ({ trouble, times, acknowledged, refused, ready }: TroubleResult): Record<string, string | number> => ({
  'what goes wrong': trouble,
  times,
  acknowledged,
  'refused or cut off': refused,
  'ready again: median, most': [ready.median, ready.most].map((ms) => `${Math.round(ms)} ms`).join(', '),
})
