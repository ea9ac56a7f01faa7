/** The clock of this machine, in milliseconds since 1970. */
export const systemClock = { now: (): number => Date.now() } as const

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d{1,9})([smhd])$/

/** `90s`, `15m`, `1h` or `7d` in milliseconds; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit] = DURATION.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS]
}

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const RFC_850 = /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/**
 * A date in a header field, in milliseconds since 1970; undefined where it has none of the three forms that a recipient
 * must accept.
 * @see RFC 9110 section 5.6.7
 */
export const parseHttpDate = (field: string): number | undefined => {
  const date = field.trim()
  if (!IMF_FIXDATE.test(date) && !RFC_850.test(date) && !ASCTIME.test(date)) return undefined
  const milliseconds = Date.parse(ASCTIME.test(date) ? `${date} GMT` : date)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

/** The instant as a header field has it: in whole seconds, rounded down. */
export const formatHttpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString()

const SECONDS = /^\d{1,10}$/

/**
 * Milliseconds that a `Retry-After` asks to wait, in seconds or until a date; undefined where it says neither.
 * @param now milliseconds since 1970, best by the clock of the server that sent the field
 * @see RFC 9110 section 10.2.3
 */
export const parseRetryAfter = (field: string | null | undefined, now: number): number | undefined => {
  const text = field?.trim() ?? ''
  if (SECONDS.test(text)) return Number(text) * 1_000
  const at = parseHttpDate(text)
  return at === undefined ? undefined : Math.max(0, at - now)
}
