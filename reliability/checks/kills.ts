import type { Finding } from '../finding.ts'
import { type Point, pointsOf } from '../points/points.ts'
import { killInMigration, runPoints } from '../points/run-points.ts'
import type { Check } from '../report.ts'
import { type RunResult, runRandomKills } from '../run/run-random-kills.ts'
import type { Figures } from '../run/scenario.ts'

/** `kill -9` under load, at any instant. */
export const randomKills: Check = async ({ kills, seed, rate, fromSource }, { store, server, product, log }) => {
  const program = fromSource ? undefined : product()
  let shown = 0
  const progress = (kill: number, found: readonly Finding[]): void => {
    for (const { invariant, message } of found.slice(shown)) log(`${store}: ${invariant} ${message}`)
    shown = found.length
    if (kill % 10 === 0) log(`${store}: ${kill} of ${kills} kills, ${shown} findings`)
  }
  const { findings, figures } = await runRandomKills({ store, server, kills, seed, rate, program, progress })
  const more = `${rate === undefined ? '' : ` --rate ${rate}`}${fromSource ? ' --source' : ''}`
  return {
    name: 'random kills',
    store,
    replay: `--store ${store} --kills ${kills} --seed ${seed}${more}`,
    findings,
    rows: [{ kills: figures.kills, ...cellsOf(figures), findings: findings.length }],
  }
}

/** The columns for the figures of a run. */
const cellsOf = (figures: Figures): Readonly<Record<string, string | number>> => {
  const { acknowledged, unanswered, mails, duplicates, longestWindow, ready, takenOverIn, seconds } = figures
  return {
    acknowledged,
    'cut off': unanswered,
    mails,
    'twice (window)': `${duplicates} (${Math.round(longestWindow)} ms)`,
    'ready: median, p99, most': [ready.median, ready.p99, ready.most].map((ms) => `${Math.round(ms)} ms`).join(', '),
    'all mails after': `${(takenOverIn / 1_000).toFixed(1)} s`,
    seconds: Math.round(seconds),
  }
}

/** `kill -9` at each named point. The service is run from its source. */
export const namedPoints: Check = async ({ perPoint: kills, point: words, seed }, { store, server, log }) => {
  const findings: Finding[] = []
  const rows: Record<string, string | number>[] = []
  for (const point of pointsOf(store)) {
    if (words.length > 0 && !words.some((word) => point.name.includes(word))) continue
    log(`${store}: ${point.name}`)
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

const runPoint = async (point: Point, order: Order): Promise<RunResult> => {
  const { killer } = point
  if (killer.by === 'harness' && killer.during === 'migration') return await killInMigration(order)
  return await runPoints({ ...order, points: [point] })
}
