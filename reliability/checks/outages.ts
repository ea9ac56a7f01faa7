import type { Finding } from '../finding.ts'
import type { Options } from '../options.ts'
import { runPooler, type TroubleResult } from '../pooler/run-pooler.ts'
import type { Check, CheckReport } from '../report.ts'
import type { Program } from '../service/service.ts'
import { type ModeResult, runSmtpFaults } from '../smtp-faults/run-smtp-faults.ts'

/** A PgBouncer that goes away under load, or loses its server. */
export const pooler = async (
  { troubles, seed, rate, fromSource }: Options,
  product: () => Program,
  log: (line: string) => void,
): Promise<CheckReport> => {
  const program = fromSource ? undefined : product()
  const progress = (done: number, findings: readonly Finding[]): void => {
    if (done % 5 === 0) log(`pooler: ${done} of ${troubles} troubles, ${findings.length} findings`)
  }
  const { findings, results } = await runPooler({ troubles, seed, rate, program, progress })
  const more = `${rate === undefined ? '' : ` --rate ${rate}`}${fromSource ? ' --source' : ''}`
  return {
    name: 'pooler outages',
    store: 'postgres',
    replay: `--pooler --troubles ${troubles} --seed ${seed}${more}`,
    findings,
    rows: results.map(poolerRow),
  }
}

const poolerRow = ({
  trouble,
  times,
  acknowledged,
  refused,
  ready,
}: TroubleResult): Record<string, string | number> => ({
  outage: trouble,
  times,
  acknowledged,
  'refused or cut off': refused,
  'ready again: median, most': [ready.median, ready.most].map((ms) => `${Math.round(ms)} ms`).join(', '),
})

/** A relay that fails in every way. Time runs ten times as fast; the report has real times. */
export const smtpFaults: Check = async ({ mails, seed }, { store, server, log }) => {
  const progress = (mode: string, findings: number): void => log(`${store}: ${mode}, ${findings} findings`)
  const { findings, usual, modes } = await runSmtpFaults({ store, server, mails, seed, progress })
  const nothing = { mode: 'nothing', delivered: mails, parked: 0, duplicates: 0, healthy: usual, seconds: Number.NaN }
  return {
    name: 'relay faults',
    store,
    replay: `--store ${store} --smtp-faults --mails ${mails} --seed ${seed}`,
    findings,
    rows: [nothing, ...modes].map(rowOf),
  }
}

const rowOf = ({ mode, delivered, parked, duplicates, healthy }: ModeResult): Record<string, string | number> => ({
  fault: mode,
  delivered,
  parked,
  twice: duplicates,
  'others after: median, most': `${Math.round(healthy.median)} ms, ${Math.round(healthy.most)} ms`,
})
