import { availableParallelism } from 'node:os'
import type { Spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import type { PostgresFigures } from './measure-postgres.ts'

/** With so many cores there is one for each instance, for the database server and for the load. */
export const ENOUGH_CORES = 4

export const postgresRows = (
  { version, alone, one, two, p99, bareMails, mails }: PostgresFigures,
  ranged: (found: Spread, digits: number) => string,
): string[][] => [
  [`pg alone, 10 connections, on PostgreSQL ${version}, sign-ups/s`, ranged(alone, 0)],
  ['POST /subscribe, one instance, answers/s', ranged(one, 0)],
  ['the same, p99 ms', ranged(p99, 1)],
  ['POST /subscribe, two instances, answers/s', ranged(two, 0)],
  ['nodemailer alone, on any core, mails/s', ranged(bareMails, 0)],
  ['a backlog on PostgreSQL, one instance, mails/s', ranged(mails, 0)],
]

export const postgresTargets = ({ ofAlone, ofOne }: PostgresFigures): Target[] => [
  ratio('POST on PostgreSQL / pg alone', ofAlone, 0.7),
  ...(availableParallelism() < ENOUGH_CORES ? [] : [ratio('two instances / one', ofOne, 1.5)]),
]

/** The target of a ratio, which is good where it is large. */
export const ratio = (name: string, found: Spread, limit: number): Target => ({
  name,
  value: found.median,
  spread: found,
  unit: '',
  limit,
  reached: found.median >= limit,
})
