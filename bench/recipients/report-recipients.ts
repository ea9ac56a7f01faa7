import { type Spread, spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import type { RecipientFigures } from './measure-recipients.ts'

export const RECIPIENT_COLUMNS = [
  'recipients of a feed',
  's',
  'MB',
  's beside sign-ups',
  'MB beside sign-ups',
  'sign-up p99 ms',
  'p99 ms meanwhile',
]

export const recipientRows = (
  figures: readonly RecipientFigures[],
  ranged: (found: Spread, digits: number) => string,
): string[][] =>
  figures.map((found) => [
    `${found.recipients.toLocaleString('en-US')}, ${found.name}`,
    ranged(found.seconds, 1),
    ranged(inMegabytes(found.resident), 0),
    ranged(found.besideSignUps, 1),
    ranged(inMegabytes(found.residentBesideSignUps), 0),
    ranged(found.p99Alone, 1),
    ranged(found.p99Beside, 1),
  ])

/** For a million recipients; fewer take less. */
export const recipientTargets = (figures: readonly RecipientFigures[]): Target[] =>
  figures.flatMap(({ name, seconds, resident, residentBesideSignUps, slower }) => [
    below(`recipients streamed, ${name}`, inMilliseconds(seconds), 'ms', 10_000),
    below(`resident memory, recipients, ${name}`, inMegabytes(resident), 'MB', 200),
    below(`the same beside sign-ups, ${name}`, inMegabytes(residentBesideSignUps), 'MB', 200),
    below(`POST p99 beside recipients / alone, ${name}`, slower, 'times', 2),
  ])

const below = (name: string, found: Spread, unit: Target['unit'], limit: number): Target => ({
  ...{ name, value: found.median, spread: found, unit, limit, reached: found.median < limit },
})

const times = (factor: number, { median, least, most }: Spread): Spread =>
  spread([median, least, most].map((one) => one * factor))

const inMegabytes = (found: Spread): Spread => times(1e-6, found)
const inMilliseconds = (found: Spread): Spread => times(1_000, found)
