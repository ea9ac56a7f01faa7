import {
  type Caller,
  type DomainError,
  isAdministrator,
  PreconditionFailed,
  type PublishedUser,
  ReceiptNotFound,
  UserDeleted,
} from '@rollcall/core'
import type { CliPlannedDeletion, CliUseCases } from '../cli-host.ts'
import { refusesOneRow } from './bulk-run.ts'
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
const heldTo = (planned: PlannedUser | undefined) => {
  if (planned?.refusal !== undefined || planned === undefined) return {}
  const { state, subscriptions } = planned
  const precondition = (user: PublishedUser | undefined): boolean => user !== undefined && stateOf(user) === state
  return { precondition, subscriptionsExpected: subscriptions }
}

/** Whether what is found now is what the plan has found. */
const isAsPlanned = (planned: PlannedUser | undefined, { user, subscriptions }: CliPlannedDeletion): boolean => {
  const { precondition, subscriptionsExpected = subscriptions } = heldTo(planned)
  return (precondition === undefined || precondition(user)) && subscriptions === subscriptionsExpected
}

/** The row of no user, or of one that the plan leaves out; undefined where it is neither. */
const skippedRow = ({ id, planned }: IdRow): DeletionRow | undefined => {
  if (id === '') return { id, outcome: 'blank' }
  if (planned?.refusal === undefined) return undefined
  const message = 'It was refused when the plan was made.'
  return { id, outcome: 'left_out', error: { name: planned.refusal, message } }
}

/** The row of a user that was refused; under a plan, one that an earlier run of the same plan has deleted counts as done. */
const refusedRowOf = async (
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

/** Deletes the user of one row; what refuses it is in the result. */
export const deleteRow = async (deletion: BulkDeletion, row: IdRow): Promise<DeletionRow> => {
  const { useCases, caller, reason, subscriptions } = deletion
  const { id: userId, planned } = row
  const skipped = skippedRow(row)
  if (skipped !== undefined) return skipped
  try {
    const command = { userId, reason, subscriptions, ...heldTo(planned) }
    const { subscriptionsErased: erased, subscriptionsKept: kept } = await useCases.deleteUser.execute(command, caller)
    return { id: userId, outcome: 'deleted', subscriptions: { erased, kept } }
  } catch (error) {
    if (refusesOneRow(error)) return await refusedRowOf(deletion, row, error)
    throw error
  }
}

/** A plan, with the number of administrators that are deleted before it. */
type Attempt = Awaited<ReturnType<DeletionPlanner['attempt']>>

/**
 * Foresees what a list of deletions would do. Several plans are made at once; each is settled in its turn, and made
 * again if an administrator has gone before it meanwhile: of the last two only one can go.
 */
export class DeletionPlanner {
  readonly #deletion: BulkDeletion
  #administrators = 0

  constructor(deletion: BulkDeletion) {
    this.#deletion = deletion
  }

  async attempt(row: IdRow) {
    const administratorsBefore = this.#administrators
    const nothing = { row, plan: undefined, error: undefined, administratorsBefore }
    if (row.repeated || skippedRow(row) !== undefined) return nothing
    const { useCases, caller, reason } = this.#deletion
    try {
      const plan = await useCases.planUserDeletion.execute({ userId: row.id, reason, administratorsBefore }, caller)
      const changed = plan.user !== undefined && !isAsPlanned(row.planned, plan)
      return { ...nothing, plan, error: changed ? new PreconditionFailed() : plan.refusal }
    } catch (error) {
      if (refusesOneRow(error)) return { ...nothing, error }
      throw error
    }
  }

  async settled(attempt: Attempt): Promise<DeletionRow> {
    const { row, plan, error, administratorsBefore } = attempt
    const { id, repeated } = row
    if (repeated) return { id, outcome: 'repeated' }
    const skipped = skippedRow(row)
    if (skipped !== undefined) return skipped
    if (error !== undefined) return await refusedRowOf(this.#deletion, row, error, plan?.user)
    const user = plan?.user
    if (user !== undefined && isAdministrator(user)) {
      if (administratorsBefore < this.#administrators) return await this.settled(await this.attempt(row))
      this.#administrators++
    }
    const { subscriptions: count = 0 } = plan ?? {}
    const subscriptions =
      this.#deletion.subscriptions === 'erase' ? { erased: count, kept: 0 } : { erased: 0, kept: count }
    return { id, outcome: 'would_delete', user, subscriptions }
  }
}
