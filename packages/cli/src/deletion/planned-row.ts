import {
  type Caller,
  type DomainError,
  PreconditionFailed,
  type PublishedUser,
  ReceiptNotFound,
  UserDeleted,
} from '@rollcall/core'
import type { CliPlannedDeletion, CliUseCases } from '../cli-host.ts'
import { type DeletionPlan, type PlannedUser, stateOf } from './deletion-plan.ts'
import { type DeletionRow, type DeletionTerms, refusedRow } from './deletion-row.ts'
import type { IdRow } from './id-source.ts'

/** What every row of a list is deleted by, or looked at by in a dry run. */
export interface BulkDeletion extends DeletionTerms {
  readonly useCases: CliUseCases
  readonly caller: Caller
}

// With the id of the plan in every audit record, a later run knows what an earlier one has done.
export const bulkDeletion = (terms: DeletionTerms, useCases: CliUseCases, operator: Caller): BulkDeletion => ({
  ...terms,
  useCases,
  caller: terms.plan === undefined ? operator : { ...operator, requestId: terms.plan.id },
})

const CHANGED = 'The user, or the number of its subscriptions, has changed since the plan was made. Make a new plan.'
const GONE = 'This user was deleted since the plan was made, but not by this plan.'

/** The conditions that a plan puts on the deletion of a user. */
export const heldTo = (planned: PlannedUser | undefined) => {
  if (planned?.refusal !== undefined || planned === undefined) return {}
  const { state, subscriptions } = planned
  const precondition = (user: PublishedUser | undefined): boolean => user !== undefined && stateOf(user) === state
  return { precondition, subscriptionsExpected: subscriptions }
}

/** Whether what is found now is what the plan has found. */
export const isAsPlanned = (planned: PlannedUser | undefined, { user, subscriptions }: CliPlannedDeletion): boolean => {
  const { precondition, subscriptionsExpected = subscriptions } = heldTo(planned)
  return (precondition === undefined || precondition(user)) && subscriptions === subscriptionsExpected
}

/** The row of a user that the plan leaves out; undefined where it does not. */
export const leftOutRow = ({ id, planned }: IdRow): DeletionRow | undefined => {
  if (planned?.refusal === undefined) return undefined
  const message = 'It was refused when the plan was made.'
  return { id, outcome: 'left_out', error: { name: planned.refusal, message } }
}

/** The row of a user that was refused; under a plan, one that an earlier run of the same plan has deleted counts as done. */
export const refusedRowOf = async (
  { plan, useCases, caller }: BulkDeletion,
  row: IdRow,
  error: DomainError,
  user?: PublishedUser,
): Promise<DeletionRow> => {
  const { id } = row
  if (plan === undefined || row.repeated) return refusedRow(row, error, user)
  const refused = (message: string): DeletionRow => ({ id, outcome: 'refused', error: { name: error.name, message } })
  if (error instanceof PreconditionFailed) return refused(CHANGED)
  if (!(error instanceof UserDeleted)) return refusedRow(row, error)
  return (await deletedBy(plan, id, useCases, caller)) ? { id, outcome: 'already_deleted' } : refused(GONE)
}

const deletedBy = async (plan: DeletionPlan, userId: string, { getErasureReceipt }: CliUseCases, caller: Caller) => {
  try {
    const { record } = await getErasureReceipt.execute({ userId }, caller)
    return record?.requestId === plan.id
  } catch (error) {
    // The user was restored in the meantime.
    if (error instanceof ReceiptNotFound) return false
    throw error
  }
}
