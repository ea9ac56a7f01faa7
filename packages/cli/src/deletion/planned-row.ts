import {
  type Caller,
  type DomainError,
  type PlannedDeletion,
  PreconditionFailed,
  ReceiptNotFound,
  type User,
  UserDeleted,
} from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import type { DeletionPlan, PlannedUser } from './deletion-plan.ts'
import { type DeletionRow, refusedRow } from './deletion-row.ts'
import type { IdRow } from './id-source.ts'
import { stateOf } from './state-of.ts'

const CHANGED = 'The user, or the number of its subscriptions, has changed since the plan was made. Make a new plan.'
const GONE = 'Somebody else has deleted this user since the plan was made.'

/** What a deletion is held to by the plan that it is in. */
export const heldTo = (planned: PlannedUser | undefined) => {
  if (planned?.refusal !== undefined || planned === undefined) return {}
  const { state, subscriptions } = planned
  const precondition = (user: User | undefined): boolean => user !== undefined && stateOf(user) === state
  return { precondition, subscriptionsExpected: subscriptions }
}

/** Whether what is found now is what the plan has found. */
export const isAsPlanned = (planned: PlannedUser | undefined, { user, subscriptions }: PlannedDeletion): boolean => {
  const { precondition, subscriptionsExpected = subscriptions } = heldTo(planned)
  return (precondition === undefined || precondition(user)) && subscriptions === subscriptionsExpected
}

/** The row of a user whom the plan leaves out; undefined where it does not. */
export const leftOutRow = ({ id, planned }: IdRow): DeletionRow | undefined => {
  if (planned?.refusal === undefined) return undefined
  const message = 'It was refused when the plan was made.'
  return { id, outcome: 'left_out', error: { name: planned.refusal, message } }
}

/** The row of a user who could not be deleted, though the plan says so; or was, by an earlier run of the same plan. */
export const refusedPlannedRow = async (
  row: IdRow,
  error: DomainError,
  { plan, useCases, caller }: { plan: DeletionPlan; useCases: CliUseCases; caller: Caller },
): Promise<DeletionRow> => {
  const { id } = row
  const refused = (message: string): DeletionRow => ({ id, outcome: 'refused', error: { name: error.name, message } })
  if (row.repeated) return refusedRow(row, error)
  if (error instanceof PreconditionFailed) return refused(CHANGED)
  if (!(error instanceof UserDeleted)) return refusedRow(row, error)
  return (await deletedBy(plan, id, useCases, caller)) ? { id, outcome: 'already_deleted' } : refused(GONE)
}

const deletedBy = async (plan: DeletionPlan, userId: string, { getErasureReceipt }: CliUseCases, caller: Caller) => {
  try {
    const { record } = await getErasureReceipt.execute({ userId }, caller)
    return record?.requestId === plan.id
  } catch (error) {
    // Restored meanwhile.
    if (error instanceof ReceiptNotFound) return false
    throw error
  }
}
