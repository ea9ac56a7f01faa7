import type { Finding } from '../finding.ts'
import { killInMigration } from '../points/kill-in-migration.ts'
import { type Point, pointsOf } from '../points/points.ts'
import { runPoints } from '../points/run-points.ts'
import type { TrialResult } from '../trial/run-trial.ts'
import type { Check } from './check.ts'
import { cellsOf } from './random-kills.ts'

/** `kill -9` at each named point. The service is run from its source: what kills it is planted there. */
export const namedPoints: Check = async ({ perPoint: kills, point: words, seed }, { store, server, tell }) => {
  const findings: Finding[] = []
  const rows: Record<string, string | number>[] = []
  for (const point of pointsOf(store)) {
    if (words.length > 0 && !words.some((word) => point.name.includes(word))) continue
    tell(`${store}: ${point.name}`)
    const result = await runPoint(point, { store, server, kills, seed })
    findings.push(...result.findings.map((finding) => ({ ...finding, message: `${point.name}: ${finding.message}` })))
    rows.push({ point: point.name, kills, ...cellsOf(result.figures), findings: result.findings.length })
  }
  const only = words.map((word) => ` --point '${word}'`).join('')
  return {
    name: 'named points',
    store,
    replay: `--store ${store} --points --per-point ${kills} --seed ${seed}${only}`,
    findings,
    rows,
  }
}

type Order = Omit<Parameters<typeof runPoints>[0], 'points'>

const runPoint = async (point: Point, order: Order): Promise<TrialResult> => {
  const { killer } = point
  if (killer.by === 'harness' && killer.during === 'migration') return await killInMigration(order)
  return await runPoints({ ...order, points: [point] })
}
