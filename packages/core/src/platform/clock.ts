import type { Instant } from '../instant.ts'

/** The current time. Not monotonic: it may jump either way, and no data may be lost because of that. */
export interface Clock {
  now(): Instant
}
