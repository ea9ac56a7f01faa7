import { type Instant, timestamp } from '@rollcall/core'

/** RFC 3339, UTC, with milliseconds; null for undefined. */
export const instantText = timestamp

/** The same for people: to the second, empty for undefined. */
export const shortInstantText = (instant: Instant | undefined): string =>
  instantText(instant)?.replace(/\.\d+Z$/, 'Z') ?? ''
