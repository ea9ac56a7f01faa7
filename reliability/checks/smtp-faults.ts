import { type ModeResult, runSmtpFaults } from '../smtp-faults/run-smtp-faults.ts'
import type { Check } from './check.ts'

/** A relay that fails in every way. Time runs ten times as fast: what is told is what it would be. */
export const smtpFaults: Check = async ({ mails, seed }, { store, server, tell }) => {
  const progress = (mode: string, findings: number): void => tell(`${store}: ${mode}, ${findings} findings`)
  const { findings, usual, modes } = await runSmtpFaults({ store, server, mails, seed, progress })
  const nothing = { mode: 'nothing', delivered: mails, parked: 0, duplicates: 0, healthy: usual, seconds: Number.NaN }
  return {
    name: 'a relay that fails',
    store,
    replay: `--store ${store} --smtp-faults --mails ${mails} --seed ${seed}`,
    findings,
    rows: [nothing, ...modes].map(rowOf),
  }
}

const rowOf = ({ mode, delivered, parked, duplicates, healthy }: ModeResult): Record<string, string | number> => ({
  'what goes wrong': mode,
  delivered,
  parked,
  twice: duplicates,
  'others after: median, most': `${Math.round(healthy.median)} ms, ${Math.round(healthy.most)} ms`,
})
