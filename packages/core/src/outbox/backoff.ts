import { DAY, HOUR, type Instant, SECOND } from '../instant.ts'
import type { OutboxEntry } from './outbox-store.ts'

const FIRST_DELAY = 5 * SECOND
const LONGEST_DELAY = 1 * HOUR

const GIVE_UP_AFTER = 2 * DAY
/** They take 20 to 45 minutes, and matter to a mail that waited for two days before its first, or that a person retried. */
export const LEAST_TRIES = 10
/** Of a mail that may have been delivered. */
export const LEAST_COPIES = 3

/** Whether a mail has failed for long enough to wait for a person: for two days, and in so many tries at least. */
export const isGivenUp = (
  { createdAt, attempts }: Pick<OutboxEntry, 'createdAt' | 'attempts'>,
  now: Instant,
  tries = LEAST_TRIES,
): boolean => now - createdAt >= GIVE_UP_AFTER && attempts >= tries

/**
 * When to try again after so many tries: exponential, at most an hour, half of it by chance so that what failed
 * together does not come back together.
 */
export const nextAttemptAt = (attempts: number, now: Instant, fraction: number): Instant => {
  const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.max(0, attempts - 1))
  return now + Math.round(delay / 2 + (delay / 2) * fraction)
}
