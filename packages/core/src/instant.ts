import { InvalidInput } from './errors.ts'

/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-]\d\d:\d\d))?)?$/i

/**
 * A point in time by RFC 3339, or a date alone; UTC without an offset. Undefined without a text.
 * @throws {InvalidInput} it is not a time, is before 1970, or is more than a day ahead of `now`
 */
export const parseTime = (text: string, field: string, now: Instant): Instant | undefined => {
  if (text === '') return undefined
  const instant = instantIn(text)
  if (Number.isNaN(instant) || instant < 0)
    throw new InvalidInput([{ field, message: 'Give a time such as 2024-07-02T12:56:49Z, or leave it out.' }])
  if (instant > now + DAY) throw new InvalidInput([{ field, message: 'This is in the future. Correct it.' }])
  return instant
}

const instantIn = (text: string): Instant => {
  const [, day = '', clock = '00:00', seconds = '00', fraction = '', offset = 'Z'] = TIME.exec(text) ?? []
  return isDay(day)
    ? Date.parse(`${day}T${clock}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
    : Number.NaN
}

/** Whether it is a date such as 2024-07-02, and there is such a day: JavaScript takes 30 February for 1 March. */
export const isDay = (text: string): boolean => {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
}
