import type { IdOrigin } from './id-source.ts'

/** What an operator ordered: `rollcall user delete`. */
export interface DeletionOrder extends IdOrigin {
  readonly dryRun: boolean
  /** Without asking. */
  readonly yes: boolean
  readonly reason: string | undefined
  /** What becomes of subscriptions of the same addresses. */
  readonly subscriptions: 'keep' | 'erase'
}

/** One id, named by hand: it is answered for itself, not in a report. */
export const singleId = ({ ids, from }: IdOrigin): string | undefined =>
  from === undefined && ids.length === 1 ? ids[0] : undefined
