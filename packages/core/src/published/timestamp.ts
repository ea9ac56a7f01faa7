import type { Instant } from '../instant.ts'

/** RFC 3339, UTC, with milliseconds; null where it has not happened. */
export const timestamp = (instant: Instant | undefined): string | null =>
  instant === undefined ? null : new Date(instant).toISOString()
