import { type Instant, timestamp } from '@rollcall/core'

/** RFC 3339, UTC, with milliseconds; null where there is none. */
export const instantText = timestamp

/** The same for people: to the second, empty where there is none. */
export const shortInstantText = (instant: Instant | undefined): string =>
  instantText(instant)?.replace(/\.\d+Z$/, 'Z') ?? ''
