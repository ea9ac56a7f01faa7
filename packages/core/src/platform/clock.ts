import type { Instant } from '../instant.ts'

/** What time it is. Never monotonic: it may jump either way, and nobody may lose data over that. */
export interface Clock {
  now(): Instant
}
