import { type DomainError, InvalidInput, type PublishedUser, UserDeleted, UserNotFound } from '@rollcall/core'
import type { DeletionPlan } from './deletion-plan.ts'
import type { IdRow } from './id-source.ts'

/** What an operator orders for every user to be deleted. */
export interface DeletionTerms {
  readonly reason: string | undefined
  /** What becomes of subscriptions of the same addresses. */
  readonly subscriptions: 'keep' | 'erase'
  /** The plan that is applied. */
  readonly plan?: DeletionPlan
}

/** What became, or in a dry run would become, of one row of a list. */
export type DeletionOutcome =
  | 'deleted'
  | 'would_delete'
  | 'already_deleted'
  | 'not_found'
  | 'refused'
  /** Refused when the plan was made, so not tried. */
  | 'left_out'
  | 'repeated'
  | 'blank'

export interface DeletionRow {
  readonly id: string
  readonly outcome: DeletionOutcome
  /** Who it is; in a dry run only. */
  readonly user?: PublishedUser | undefined
  readonly subscriptions?: { readonly erased: number; readonly kept: number } | undefined
  readonly error?: RowError | undefined
}

/** Why a row was refused. */
export interface RowError {
  readonly name: string
  /** For a person. */
  readonly message: string
}

/** The row of an id that was not deleted. */
export const refusedRow = ({ id, repeated }: IdRow, error: DomainError, user?: PublishedUser): DeletionRow => {
  // Its first occurrence had its own outcome, and that is the one to count.
  if (repeated) return { id, outcome: 'repeated' }
  if (error instanceof UserDeleted) return { id, outcome: 'already_deleted' }
  const reason = { name: error.name, message: reasonOf(error) }
  if (error instanceof UserNotFound) return { id, outcome: 'not_found', error: reason }
  return { id, outcome: 'refused', error: reason, user }
}

export const deletionRowRepresentation = ({ id, outcome, user, subscriptions, error }: DeletionRow) => ({
  id,
  outcome,
  ...(user && { email: user.email, name: user.name }),
  ...(subscriptions && {
    subscriptions_erased: subscriptions.erased,
    subscriptions_kept: subscriptions.kept,
  }),
  ...(error && { error: error.name, message: error.message }),
})

/** Of an `InvalidInput` what is wrong with the field. */
const reasonOf = (error: DomainError): string =>
  error instanceof InvalidInput ? error.details.map(({ message }) => message).join(' ') : error.message
