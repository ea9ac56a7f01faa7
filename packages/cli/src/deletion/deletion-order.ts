import type { DeletionPlan } from './deletion-plan.ts'

/** What an operator ordered: `rollcall user delete`. */
export interface DeletionOrder {
  /** One id, named by hand: it is answered for itself, not in a report. */
  readonly single: string | undefined
  readonly dryRun: boolean
  /** Without asking. */
  readonly yes: boolean
  readonly reason: string | undefined
  /** What becomes of subscriptions of the same addresses. */
  readonly subscriptions: 'keep' | 'erase'
  /** The plan that is applied. */
  readonly plan: DeletionPlan | undefined
  /** Where to write what a dry run found. */
  readonly planFile: string | undefined
  /** Where to write what became of every row. */
  readonly reportFile: string | undefined
}
