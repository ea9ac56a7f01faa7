import type { Instant } from '../instant.ts'

/** What stays of a deleted user: the id, when it was, and how much went. Nothing of the person. */
export interface Tombstone {
  readonly deletedAt: Instant
  /** The number of the audit record that says who did it, and why. */
  readonly audit: number
  /** Set while the deletion can still be undone: when everything goes. */
  readonly erasesAt: Instant | undefined
  readonly erased: ErasedCounts
  /** Subscriptions of the same address that were left. */
  readonly subscriptionsKept: number
}

export interface ErasedCounts {
  readonly users: number
  readonly roles: number
  readonly subscriptions: number
  /** Queued, or kept as files. */
  readonly mails: number
}

export const NOTHING_ERASED: ErasedCounts = { users: 0, roles: 0, subscriptions: 0, mails: 0 }
