import { availableParallelism } from 'node:os'
import type { Spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import type { ChangeFigures } from './measure-changes.ts'
import { ENOUGH_CORES, ratio } from './report-postgres.ts'

export const CHANGE_COLUMNS = [
  'changes of users on PostgreSQL',
  'answers/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'commits/answer',
]

export const changeRows = (
  figures: readonly ChangeFigures[],
  ranged: (found: Spread, digits: number) => string,
): string[][] =>
  figures.flatMap(({ kind, connections, floor, one, two }) =>
    [
      { who: 'node:http and pg alone', found: floor },
      { who: 'one instance', found: one },
      ...(two ? [{ who: 'two instances', found: two }] : []),
    ].map(({ who, found: { rate, p50, p99, cost, transactions } }) => [
      `${kind}, ${atOnce(connections)}, ${who}`,
      ranged(rate, 0),
      ranged(p50, 2),
      ranged(p99, 1),
      ranged(cost, 0),
      ranged(transactions, 3),
    ]),
  )

export const changeTargets = (figures: readonly ChangeFigures[]): Target[] =>
  figures.flatMap(({ kind, connections, ofFloor, ofOne }) => [
    ratio(`${kind} on PostgreSQL, ${atOnce(connections)} / pg alone`, ofFloor, connections === 1 ? 0.75 : 0.8),
    ...(availableParallelism() < ENOUGH_CORES || ofOne === undefined
      ? []
      : [ratio(`${kind}, two instances / one`, ofOne, 1)]),
  ])

const atOnce = (connections: number): string => (connections === 1 ? 'one connection' : `${connections} connections`)
