import type { Instant } from '../instant.ts'
import { HOUR } from '../instant.ts'

/**
 * `planning`: rows are being looked up. `planned`: it waits for the person. `deleting`: what was planned is being done.
 * `restoring`: what was done is being undone. `done` and `restored` are ends.
 */
export type RunPhase = 'planning' | 'planned' | 'deleting' | 'done' | 'restoring' | 'restored'

/**
 * What is known of a row. `listed`: nothing yet. `ready`: it would be deleted. `refused`: it would not, and why.
 * `deleted`, `failed`: it was, or was not after all. `restored`, `kept`: the deletion was undone, or was not.
 */
export type RowState = 'listed' | 'ready' | 'refused' | 'deleted' | 'failed' | 'restored' | 'kept'

/** An id of a list, as it came. No name, no address: they are looked up where they are shown. */
export interface RunRow {
  readonly line: number
  /** Empty if the line can be no id: what it says instead may be anything, and is not kept. */
  readonly userId: string
  readonly state: RowState
  /** Of `refused`, `failed` and `kept`: the name of the error. */
  readonly because?: string | undefined
  /** Of the user that was planned to go; another one is not deleted. */
  readonly was?: string | undefined
  readonly subscriptions?: number | undefined
}

/** Rows that are done in one go. */
export const ROWS_PER_PART = 200

export type RunCounts = Readonly<Record<RowState, number>>

/** A deletion of many users: planned, done and reported piece by piece, each by a request of its own. */
export interface DeletionRun {
  readonly id: string
  /** Who planned it: the only one who may go on with it. */
  readonly owner: string
  readonly phase: RunPhase
  /** The part that is next. */
  readonly next: number
  readonly parts: number
  readonly rows: number
  readonly reason: string | undefined
  readonly subscriptions: 'keep' | 'erase'
  /** Administrators among those that would go. */
  readonly administrators: number
  readonly counts: RunCounts
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly busyUntil: Instant
}

/** How long a run is kept from its last step on. */
export const RUN_LIFE = HOUR

export interface DeletionRunReader {
  find(id: string): Promise<DeletionRun | undefined>
  part(id: string, part: number): Promise<readonly RunRow[]>
  /** Newest first. */
  listOf(owner: string, limit: number): Promise<readonly DeletionRun[]>
}

export interface DeletionRunStore extends DeletionRunReader {
  /** Replaces the one with this id. */
  put(run: DeletionRun): Promise<void>
  putPart(id: string, part: number, rows: readonly RunRow[]): Promise<void>
  /** Removes up to `limit` that expire before `now`, with all their parts; how many. */
  prune(now: Instant, limit: number): Promise<number>
}
