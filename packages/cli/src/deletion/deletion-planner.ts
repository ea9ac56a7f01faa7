import { type DomainError, isAdministrator, PreconditionFailed } from '@rollcall/core'
import type { CliPlannedDeletion } from '../cli-host.ts'
import { refusesOneRow } from './bulk-run.ts'
import type { DeletionRow } from './deletion-row.ts'
import type { IdRow } from './id-source.ts'
import { type BulkDeletion, isAsPlanned, leftOutRow, refusedRowOf } from './planned-row.ts'

/** A plan, with the number of administrators that are deleted before it. */
export interface Attempt {
  readonly row: IdRow
  readonly plan: CliPlannedDeletion | undefined
  readonly error: DomainError | undefined
  readonly administratorsBefore: number
}

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

  async attempt(row: IdRow): Promise<Attempt> {
    const administratorsBefore = this.#administrators
    const nothing = { row, plan: undefined, error: undefined, administratorsBefore }
    if (row.id === '' || row.repeated || row.planned?.refusal !== undefined) return nothing
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
    if (id === '') return { id, outcome: 'blank' }
    if (repeated) return { id, outcome: 'repeated' }
    const leftOut = leftOutRow(row)
    if (leftOut !== undefined) return leftOut
    if (error !== undefined) return await refusedRowOf(this.#deletion, row, error, plan?.user)
    const user = plan?.user
    if (user !== undefined && isAdministrator(user)) {
      if (administratorsBefore < this.#administrators) return await this.settled(await this.attempt(row))
      this.#administrators++
    }
    const count = plan?.subscriptions ?? 0
    const erase = this.#deletion.subscriptions === 'erase'
    return {
      id,
      outcome: 'would_delete',
      user,
      subscriptions: erase ? { erased: count, kept: 0 } : { erased: 0, kept: count },
    }
  }
}
