import type { DeletionFigures } from './deletion/measure-deletions.ts'
import type { ListFigures } from './growth/measure-lists.ts'
import type { MailFigures } from './mails/measure-mails.ts'
import { mailTargets } from './mails/report-mails.ts'
import type { Starts } from './measure-starts.ts'
import type { PostgresFigures } from './postgres/measure-postgres.ts'
import { postgresTargets } from './postgres/report-postgres.ts'
import type { CaseResult } from './results.ts'
import { type Spread, spread } from './statistics.ts'
import type { TransferFigures } from './transfer/measure-transfers.ts'

/** A figure and its limit. */
export interface Target {
  readonly name: string
  /** The ratio of two medians, or a median. */
  readonly value: number
  /** Over the repetitions; of a ratio, each with the floor's of the same turn. */
  readonly spread: Spread
  readonly unit: '' | 'ms' | 'KB' | 'MB' | 'rows/s' | 'mails/s' | 'times'
  readonly limit: number
  readonly reached: boolean
}

/** The targets for what was measured, where the measurement counts. */
export const judge = (
  results: readonly CaseResult[],
  starts: Starts | undefined,
  lists: readonly ListFigures[] = [],
  transfers: readonly TransferFigures[] = [],
  deletions?: DeletionFigures,
  mails?: MailFigures,
  postgres?: PostgresFigures,
): Target[] => {
  const valid = new Map(results.filter(({ faults }) => faults.length === 0).map((result) => [result.name, result]))
  const ratio = (name: string, ours: string, floor: string, limit: number): Target[] => {
    const [measured, bare] = [valid.get(ours), valid.get(floor)]
    if (!measured || !bare) return []
    const value = measured.rate.median / bare.rate.median
    const turns = measured.trials.map(({ rate }, turn) => rate / (bare.trials[turn]?.rate ?? Number.NaN))
    return [{ name, value, spread: spread(turns), unit: '', limit, reached: value >= limit }]
  }
  const slower = (name: string, ours: string, other: string, limit: number): Target[] => {
    const [measured, bare] = [valid.get(ours), valid.get(other)]
    if (!measured || !bare) return []
    const value = measured.p99.median / bare.p99.median
    const turns = measured.trials.map(({ p99 }, turn) => p99 / (bare.trials[turn]?.p99 ?? Number.NaN))
    return [{ name, value, spread: spread(turns), unit: 'times', limit, reached: value <= limit }]
  }
  const resident = [...valid.values()]
    .filter(({ name }) => name.endsWith('-rollcall'))
    .map(({ underLoad }) => underLoad)
    .toSorted((a, b) => b.most - a.most)[0]
  return [
    ...ratio('POST / group-commit floor', 'post-rollcall', 'post-group-commit', 0.6),
    ...ratio('POST / bare Koa', 'post-rollcall', 'post-koa', 0.25),
    ...ratio('POST / floor with the same rows', 'post-rollcall', 'post-same-rows', 0.8),
    ...slower('POST p99 / floor with the same rows', 'post-rollcall', 'post-same-rows', 1.5),
    ...slower('POST p99 / the same on PostgreSQL', 'post-rollcall', 'post-on-postgres', 1),
    ...below('POST p99', valid.get('post-rollcall')?.p99, 'ms', 50),
    ...ratio('DELETE 403 / bare Koa, constant', 'delete-403-rollcall', 'delete-403-koa', 0.5),
    ...ratio('DELETE 204 / bare durable delete', 'delete-204-rollcall', 'delete-204-group-commit', 0.7),
    ...ratio('POST beside many rows / beside few', 'growth-post-large', 'growth-post-small', 1 / 1.5),
    ...ratio('DELETE 403 among many users / few', 'growth-users-403-large', 'growth-users-403-small', 1 / 1.3),
    ...ratio('DELETE 204 among many users / few', 'growth-users-204-large', 'growth-users-204-small', 1 / 1.3),
    ...below('list page p99, any filter', worst(lists), 'ms', 20),
    ...below('start to ready, empty folder', starts?.rollcallFirst, 'ms', 1_000),
    ...below('resident memory under load', resident && inMegabytes(resident), 'MB', 250),
    ...transfers.flatMap(ofTransfer),
    ...(postgres === undefined ? [] : postgresTargets(postgres)),
    ...(deletions === undefined ? [] : ofDeletions(deletions)),
    ...(mails === undefined ? [] : mailTargets(mails)),
  ]
}

const below = (name: string, found: Spread | undefined, unit: 'ms' | 'MB', limit: number): Target[] =>
  found === undefined ? [] : [{ name, value: found.median, spread: found, unit, limit, reached: found.median < limit }]

const WANTED = {
  import: { rate: 20_000, megabytes: 250 },
  'export as NDJSON': { rate: 100_000, megabytes: 200 },
  'export as CSV': { rate: 100_000, megabytes: 200 },
} as const

const ofTransfer = ({ name, rate, resident }: TransferFigures): Target[] => {
  const { rate: limit, megabytes } = WANTED[name]
  const fast: Target = { name, value: rate.median, spread: rate, unit: 'rows/s', limit, reached: rate.median >= limit }
  return [fast, ...below(`resident memory, ${name}`, inMegabytes(resident), 'MB', megabytes)]
}

const ofDeletions = ({ rate, resident, held, one, bareNode }: DeletionFigures): Target[] => {
  const value = bareNode.median / one.median
  const ratios = [value, bareNode.least / one.least, bareNode.most / one.most]
  const wanted = { name: 'users deleted from a list', limit: 5_000, unit: 'rows/s' } as const
  return [
    { ...wanted, value: rate.median, spread: rate, reached: rate.median >= wanted.limit },
    ...below('resident memory, users deleted from a list', inMegabytes(resident), 'MB', 200),
    ...(held === undefined ? [] : below('write lock held at a time, p99', spread([held.p99]), 'ms', 20)),
    {
      ...{ name: 'bare node -e 0 / deleting one user', value, spread: spread(ratios), unit: '' },
      ...{ limit: 1 / 8, reached: value >= 1 / 8 },
    },
  ]
}

const worst = (lists: readonly ListFigures[]): Spread | undefined => {
  const [least, most] = [Math.min, Math.max].map((pick) => pick(...lists.map(({ p99 }) => p99)))
  return lists.length === 0 || least === undefined || most === undefined ? undefined : { median: most, least, most }
}

const inMegabytes = ({ median, least, most }: Spread): Spread => ({
  median: median / 1e6,
  least: least / 1e6,
  most: most / 1e6,
})
