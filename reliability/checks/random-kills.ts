import type { Finding } from '../finding.ts'
import type { Figures } from '../trial/figures.ts'
import { runTrial } from '../trial/run-trial.ts'
import type { Check } from './check.ts'

/** `kill -9` under load, at any instant. */
export const randomKills: Check = async ({ kills, seed, rate, fromSource }, { store, server, product, tell }) => {
  const program = fromSource ? undefined : product()
  let told = 0
  const progress = (kill: number, found: readonly Finding[]): void => {
    for (const { invariant, message } of found.slice(told)) tell(`${store}: ${invariant} ${message}`)
    told = found.length
    if (kill % 10 === 0) tell(`${store}: ${kill} of ${kills} kills, ${told} findings`)
  }
  const { findings, figures } = await runTrial({ store, server, kills, seed, rate, program, progress })
  const more = `${rate === undefined ? '' : ` --rate ${rate}`}${fromSource ? ' --source' : ''}`
  return {
    name: 'random kills',
    store,
    replay: `--store ${store} --kills ${kills} --seed ${seed}${more}`,
    findings,
    rows: [{ kills: figures.kills, ...cellsOf(figures), findings: findings.length }],
  }
}

/** What is told of every trial. Times are in milliseconds but for the last. */
export const cellsOf = (figures: Figures): Readonly<Record<string, string | number>> => {
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
