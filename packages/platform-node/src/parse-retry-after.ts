import { parseHttpDate } from './http-date.ts'

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
