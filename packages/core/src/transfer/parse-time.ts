import { InvalidInput } from '../errors.ts'
import { DAY, type Instant } from '../instant.ts'

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-]\d\d:\d\d))?)?$/i

/**
 * A point in time by RFC 3339, or a date alone; UTC where no offset is given. Undefined where there is no text.
 * @throws {InvalidInput} it is none, is before 1970, or is more than a day ahead of `now`
 */
export const parseTime = (text: string, field: string, now: Instant): Instant | undefined => {
  if (text === '') return undefined
  const [, day = '', clock = '00:00', seconds = '00', fraction = '', offset = 'Z'] = TIME.exec(text) ?? []
  const instant = Date.parse(`${day}T${clock}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  if (Number.isNaN(instant) || !isDay(day) || instant < 0)
    throw new InvalidInput([{ field, message: 'Give a time such as 2024-07-02T12:56:49Z, or leave it out.' }])
  if (instant > now + DAY) throw new InvalidInput([{ field, message: 'This is in the future. Correct it.' }])
  return instant
}

// JavaScript takes 30 February for 1 March; up to the 28th there is nothing to be mistaken in.
const isDay = (day: string): boolean => {
  if (day.slice(8) <= '28') return true
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}
