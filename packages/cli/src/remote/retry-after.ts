const SECOND = 1_000
const DATE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/**
 * Milliseconds to wait as a `Retry-After` has it, in seconds or as a date; undefined where it says neither.
 * @param now milliseconds since 1970, by the clock of who answered where that is known
 * @see RFC 9110 section 10.2.3
 */
export const retryAfter = (field: string | null, now: number): number | undefined => {
  const text = field?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND
  const at = httpDate(text)
  return at === undefined ? undefined : Math.max(0, at - now)
}

/** Milliseconds since 1970; undefined where the text is not a date (RFC 9110 section 5.6.7). */
export const httpDate = (text: string | null): number | undefined => {
  if (text === null) return undefined
  const isAsctime = ASCTIME.test(text)
  if (!isAsctime && !DATE.test(text)) return undefined
  const at = Date.parse(isAsctime ? `${text} GMT` : text)
  return Number.isNaN(at) ? undefined : at
}

/** What the clock of a server says; our own where it does not say. */
export const serverTime = (date: string | null): number => httpDate(date) ?? Date.now()
