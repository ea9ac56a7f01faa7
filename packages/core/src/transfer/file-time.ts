import { type Instant, parseTime } from '../instant.ts'

/** What exports have: nothing of it is to be put another way. */
const USUAL = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/

const CLOCK =
  '(?:[ ,T]+(?:at )?(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,9}))?)?)?'
const HALF = '(?:[ \u202f]?(?<half>[ap])\\.?m\\.?)?'
/** A name of a zone says something beside an offset alone: there are three called CST. */
const ZONE =
  '(?: ?(?:z|(?:utc|gmt)?(?<hours>[+-]\\d\\d):?(?<minutes>\\d\\d)?(?: [a-z]{2,5}| \\([^)]*\\)| [+-]\\d{2,4})?|utc|gmt))?'
const MONTH = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?'

/** Days as programs and spreadsheets write them: in one order with dots, in two with slashes or dashes. */
const TIMES = [
  '(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})',
  '(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})',
  '(?<one>\\d{1,2})[-/](?<other>\\d{1,2})[-/](?<year>\\d{4})',
  `${WEEKDAY}(?<day>\\d{1,2})[ /-]${MONTH}[ /-](?<year>\\d{4})`,
  `${WEEKDAY}${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})`,
].map((day) => new RegExp(`^${day}${CLOCK}${HALF}${ZONE}$`, 'i'))

/** ISO 8601 without dashes. */
const BASIC = /^(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?:T?(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?Z?)?$/i

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * A point in time as other services and spreadsheets write it; UTC without an offset. Undefined without a text.
 * @throws {InvalidInput} it is not a time, may be one of two days, is before 1970, or is more than a day ahead of `now`
 */
export const parseFileTime = (text: string, field: string, now: Instant): Instant | undefined =>
  parseTime(USUAL.test(text) ? text : (standardTime(text) ?? text), field, now)

const standardTime = (text: string): string | undefined => {
  const basic = BASIC.exec(text)?.groups
  if (basic !== undefined) {
    const { year, month, day, hour = '00', minute = '00', second = '00' } = basic
    return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
  }
  // Seconds or milliseconds since 1970.
  if (/^[1-9]\d{8,9}$/.test(text)) return new Date(Number(text) * 1_000).toISOString()
  if (/^[1-9]\d{11,12}$/.test(text)) return new Date(Number(text)).toISOString()
  const parts = TIMES.map((time) => time.exec(text)?.groups).find((groups) => groups !== undefined)
  const day = parts && dayIn(parts)
  if (parts === undefined || day === undefined) return undefined
  const { hour = '0', minute = '00', second = '00', fraction = '0', half, hours = '+00', minutes = '00' } = parts
  const at = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${day}T${twoDigits(at)}:${minute}:${second}.${fraction}${hours}:${minutes}`
}

const dayIn = ({ year, month, day, one, other }: Readonly<Record<string, string | undefined>>): string | undefined => {
  if (one === undefined || other === undefined)
    return `${year}-${twoDigits(MONTHS.indexOf(month?.slice(0, 3).toLowerCase() ?? '') + 1 || Number(month))}-${twoDigits(Number(day))}`
  // In one country the month comes first, in another the day.
  const [least, most] = [Math.min(Number(one), Number(other)), Math.max(Number(one), Number(other))]
  return least === most || most > 12 ? `${year}-${twoDigits(least)}-${twoDigits(most)}` : undefined
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
