import { InvalidInput } from '../errors.ts'
import { DAY, isDay } from '../instant.ts'

export const PERIODS = ['day', 'week', 'month'] as const

export type Period = (typeof PERIODS)[number]

/** Days since 1970, UTC; both are included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

/** How many periods are shown if no start is given. */
const USUAL: Readonly<Record<Period, number>> = { day: 30, week: 12, month: 12 }
const MOST_PERIODS = 400
const MOST_DAYS = 3_660

/** The first day of the period that a day is in; weeks begin on Monday (ISO 8601). */
export const startOf = (day: number, by: Period): number => {
  if (by === 'day') return day
  // 1970-01-01 was a Thursday.
  if (by === 'week') return day - ((day + 3) % 7)
  const date = new Date(day * DAY)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / DAY
}

const dayAfter = (start: number, by: Period): number => {
  if (by === 'day') return start + 1
  return by === 'week' ? start + 7 : startOf(start + 31, 'month')
}

/** The first days of the periods of a range; the first and the last period may be shorter. */
export const periodsOf = ({ from, to }: DayRange, by: Period): readonly number[] => {
  const starts: number[] = []
  for (let day = from; day <= to; day = dayAfter(startOf(day, by), by)) starts.push(day)
  return starts
}

/**
 * The days from one date to another; until today if no end is given, and the usual number of periods if no start is.
 * @throws {InvalidInput} it ends before it begins, or is too long
 */
export const rangeOf = (from: number | undefined, to: number | undefined, by: Period, today: number): DayRange => {
  const last = to ?? today
  const first = from ?? Math.max(0, usualStart(last, by))
  if (first > last) throw problem('from', "Give a day that is not after 'to'.")
  if (last - first >= MOST_DAYS) throw problem('from', `Give a range of ${MOST_DAYS} days at most.`)
  const range = { from: first, to: last }
  if (periodsOf(range, by).length > MOST_PERIODS)
    throw problem('by', `Give a range of ${MOST_PERIODS} ${by}s at most, or a longer period.`)
  return range
}

const usualStart = (last: number, by: Period): number => {
  let start = startOf(last, by)
  for (let more = USUAL[by] - 1; more > 0; more--) start = startOf(start - 1, by)
  return start
}

/**
 * The day of a date such as 2026-11-28.
 * @throws {InvalidInput} it is not a date, or before 1970
 */
export const parseDay = (text: string | undefined, field: string): number | undefined => {
  if (text === undefined) return undefined
  const day = isDay(text) ? Date.parse(text) / DAY : -1
  if (day < 0) throw problem(field, 'Give a date such as 2026-11-28.')
  return day
}

/** The date of a day, in ISO 8601. */
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

const problem = (field: string, message: string) => new InvalidInput([{ field, message }])
