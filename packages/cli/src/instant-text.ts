import type { Instant } from '@rollcall/core'

/** RFC 3339, UTC, with milliseconds; null where there is none. */
export const instantText = (instant: Instant | undefined): string | null =>
  instant === undefined ? null : new Date(instant).toISOString()

/** The same for people: to the second, empty where there is none. */
export const shortInstantText = (instant: Instant | undefined): string =>
  instantText(instant)?.replace(/\.\d+Z$/, 'Z') ?? ''
