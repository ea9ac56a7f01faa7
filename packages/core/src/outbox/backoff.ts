import { DAY, HOUR, type Instant, SECOND } from '../instant.ts'

const FIRST = 5 * SECOND
const LONGEST = 1 * HOUR

/** How long a mail is tried before it waits for a person. */
export const GIVE_UP_AFTER = 2 * DAY

/**
 * When to try again after so many tries: exponential, at most an hour, half of it by chance so that what failed
 * together does not come back together.
 */
export const nextAttemptAt = (attempts: number, now: Instant, fraction: number): Instant => {
  const delay = Math.min(LONGEST, FIRST * 2 ** Math.max(0, attempts - 1))
  return now + Math.round(delay / 2 + (delay / 2) * fraction)
}
