import { expect, it } from 'vitest'
import type { BenchCase } from './cases/bench-case.ts'
import { countFaults, printed } from './report.ts'

const benchCase: BenchCase = {
  name: 'put',
  about: 'what is asked',
  stores: ['sqlite'],
  bars: ['answers/s >= 500', 'p99 ms <= 250', 'of the database <= 1'],
  peer: { name: 'other', figure: 'answers/s', atLeast: { sqlite: 2, postgres: 1 }, prepare: () => Promise.reject() },
  prepare: () => Promise.reject(),
}
const reportOf = (...turns: readonly Readonly<Record<string, number>>[]) => ({
  ...{ benchCase, store: 'sqlite' as const },
  contenders: [
    { name: 'this', turns },
    { name: 'before', turns: [{ 'answers/s': 1_000, 'p99 ms': 20 }] },
    { name: 'other', turns: [{ 'answers/s': 300, 'p99 ms': 20 }] },
  ],
})

it('prints medians with the least and the most, ratios, and which bars are reached', () => {
  const turns = [600, 400, 800].map((rate) => ({ 'answers/s': rate, 'p99 ms': 300, '!missing': 0 }))
  expect(printed(reportOf(...turns))).toBe(
    `## put on SQLite: what is asked
              answers/s         p99 ms  missing
--------  -------------  -------------  -------
this      600 (400-800)  300 (300-300)        0
before             1000           20.0
other               300           20.0
/ before           0.60           15.0
/ other            2.00           15.0
reached      answers/s >= 500: 600
NOT REACHED  p99 ms <= 250: 300
NOT REACHED  answers/s / before >= 0.85: 0.60
reached      answers/s / other >= 2: 2.00
`,
  )
})

it.each([
  ['nothing', { '!missing': 0, '!unasked': 0 }, 0],
  ['what was lost', { '!missing': 2, '!unasked': 0 }, 2],
  ['what was never asked for', { '!missing': 0, '!unasked': 1 }, 1],
  ['a count that is not known', { '!missing': Number.NaN }, 1],
])('counts %s over all turns', (_, turn, faults) => {
  expect(countFaults(reportOf({ '!missing': 0 }, turn))).toBe(faults)
})
