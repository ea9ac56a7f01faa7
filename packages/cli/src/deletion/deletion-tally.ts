import type { DeletionOutcome, DeletionRow } from './deletion-row.ts'

const SHOWN = 20

/** How a run came out, counted. Remembers only the first few rows that were refused. */
export class DeletionTally {
  readonly counts: Record<DeletionOutcome, number> = {
    deleted: 0,
    would_delete: 0,
    already_deleted: 0,
    not_found: 0,
    refused: 0,
    left_out: 0,
    repeated: 0,
    blank: 0,
  }
  readonly #began = performance.now()
  readonly firstRefused: DeletionRow[] = []
  subscriptionsErased = 0
  subscriptionsKept = 0

  add(row: DeletionRow): void {
    this.counts[row.outcome]++
    this.subscriptionsErased += row.subscriptions?.erased ?? 0
    this.subscriptionsKept += row.subscriptions?.kept ?? 0
    if (isRefusal(row) && this.firstRefused.length < SHOWN) this.firstRefused.push(row)
  }

  /** Since the run began. */
  get seconds(): number {
    return (performance.now() - this.#began) / 1_000
  }

  get rows(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }

  /** Rows that stand for a user who is still there, or never was. */
  get refused(): number {
    return this.counts.refused + this.counts.not_found
  }
}

const isRefusal = ({ outcome }: DeletionRow): boolean => outcome === 'refused' || outcome === 'not_found'
