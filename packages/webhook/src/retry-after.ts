const SECONDS = /^\d{1,9}$/
const DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * Milliseconds that a `Retry-After` asks to wait; undefined where it is none.
 * @see RFC 9110 section 10.2.3
 */
export const retryAfter = (field: string | undefined, now: number): number | undefined => {
  if (field === undefined) return undefined
  if (SECONDS.test(field)) return Number(field) * 1_000
  const date = DATE.test(field) ? Date.parse(field) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
