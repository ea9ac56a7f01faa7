/** The clock of this machine, in milliseconds since 1970. */
export const systemClock = { now: (): number => Date.now() } as const

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d{1,9})([smhd])$/

/** `90s`, `15m`, `1h` or `7d` in milliseconds; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit] = DURATION.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS]
}

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const TIME = '(?<hour>\\d\\d):\\d\\d:\\d\\d'
const IMF_FIXDATE = new RegExp(`^${DAY}, (?<day>\\d\\d) ${MONTH} \\d{4} ${TIME} GMT$`)
const RFC_850 = new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-\\d\\d ${TIME} GMT$`)
const ASCTIME = new RegExp(`^${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} \\d{4}$`)

/**
 * A date in a header field, in milliseconds since 1970; undefined if it has none of the three forms that a recipient
 * must accept, or does not exist, such as 30 February. Whether it is that day of the week is not asked.
 * @see RFC 9110 section 5.6.7
 */
export const parseHttpDate = (field: string): number | undefined => {
  const date = field.trim()
  const inAsctime = ASCTIME.exec(date)
  const { day, hour } = (inAsctime ?? IMF_FIXDATE.exec(date) ?? RFC_850.exec(date))?.groups ?? {}
  if (day === undefined) return undefined
  const found = new Date(inAsctime === null ? date : `${date} GMT`)
  // `Date` takes the 30th of February for the 2nd of March, and 24:00 for the next day.
  const exists = found.getUTCDate() === Number(day) && found.getUTCHours() === Number(hour)
  return exists ? found.getTime() : undefined
}

/** The instant as a header field has it: in whole seconds, rounded down. */
export const formatHttpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString()

const SECONDS = /^\d{1,10}$/

/**
 * Milliseconds that a `Retry-After` asks to wait, in seconds or until a date; undefined if it says neither.
 * @param now milliseconds since 1970, best by the clock of the server that sent the field
 * @see RFC 9110 section 10.2.3
 */
export const parseRetryAfter = (field: string | null | undefined, now: number): number | undefined => {
  const text = field?.trim() ?? ''
  if (SECONDS.test(text)) return Number(text) * 1_000
  const at = parseHttpDate(text)
  return at === undefined ? undefined : Math.max(0, at - now)
}
