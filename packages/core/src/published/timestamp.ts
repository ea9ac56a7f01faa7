import { DAY, type Instant } from '../instant.ts'

/** Beyond it there are no dates (ECMA-262, 21.4.1.1). */
const FURTHEST = 100_000_000 * DAY

/**
 * RFC 3339, UTC, with milliseconds; null if it has not happened. It is also null, which its type does not say, if it is no
 * time at all, as in a forged record.
 */
export const timestamp = <At extends Instant | undefined>(instant: At): At extends undefined ? null : string =>
  textOf(instant) as At extends undefined ? null : string

const textOf = (instant: Instant | undefined): string | null =>
  instant !== undefined && Math.abs(instant) <= FURTHEST ? new Date(instant).toISOString() : null
