import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../instant.ts'

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

// The days of a list are few, and a date costs more than all else of its record.
let lastDay = 0
let lastDate = '1970-01-01T'

/** Beyond it there are no dates (ECMA-262, 21.4.1.1). */
const FURTHEST = 100_000_000 * DAY

/**
 * RFC 3339, UTC, with milliseconds; null if it has not happened. It is also null, which its type does not say, if it is no
 * time at all, as in a forged record.
 */
export const timestamp = <At extends Instant | undefined>(instant: At): At extends undefined ? null : string =>
  textOf(instant) as At extends undefined ? null : string

const textOf = (instant: Instant | undefined): string | null => {
  if (instant === undefined || !(Math.abs(instant) <= FURTHEST)) return null
  const day = Math.floor(instant / DAY)
  if (day !== lastDay) {
    lastDate = new Date(day * DAY).toISOString().slice(0, -'00:00:00.000Z'.length)
    lastDay = day
  }
  const time = instant - day * DAY
  const hours = TWO[Math.floor(time / HOUR)]
  const minutes = TWO[Math.floor((time % HOUR) / MINUTE)]
  const seconds = TWO[Math.floor((time % MINUTE) / SECOND)]
  return `${lastDate}${hours}:${minutes}:${seconds}.${String(time % SECOND).padStart(3, '0')}Z`
}
