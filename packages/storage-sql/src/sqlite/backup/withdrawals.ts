import type { Instant } from '@rollcall/core'

/** What people and operators took back after a backup was made. */
export interface Withdrawals {
  /** Ids of users who were deleted, and when. */
  readonly users: ReadonlyMap<string, Instant>
  /** Ids of subscriptions that were erased. */
  readonly erased: ReadonlySet<number>
  /** Ids of subscriptions that were ended and not begun again, and when. */
  readonly ended: ReadonlyMap<number, Instant>
}

/** How much of it a backup still had. */
export interface Reapplied {
  readonly users: number
  readonly erased: number
  readonly ended: number
  readonly suppressions: number
}

export const NOTHING_WITHDRAWN: Withdrawals = { users: new Map(), erased: new Set(), ended: new Map() }
