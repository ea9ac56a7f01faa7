import type { Caller } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { refusesOneRow } from './bulk-run.ts'
import type { DeletionOrder } from './deletion-order.ts'
import { type DeletionRow, refusedRow } from './deletion-row.ts'
import type { IdRow } from './id-source.ts'
import { heldTo, leftOutRow, refusedPlannedRow } from './planned-row.ts'

/** Deletes the user of one row of a list; what refuses it is in the result. */
export const deleteRow = async (
  useCases: CliUseCases,
  caller: Caller,
  row: IdRow,
  { reason, subscriptions, plan }: DeletionOrder,
): Promise<DeletionRow> => {
  const { id: userId, planned } = row
  if (userId === '') return { id: userId, outcome: 'blank' }
  const leftOut = leftOutRow(row)
  if (leftOut !== undefined) return leftOut
  try {
    const command = { userId, reason, subscriptions, ...heldTo(planned) }
    const { subscriptionsErased: erased, subscriptionsKept: kept } = await useCases.deleteUser.execute(command, caller)
    return { id: userId, outcome: 'deleted', subscriptions: { erased, kept } }
  } catch (error) {
    if (!refusesOneRow(error)) throw error
    return plan === undefined ? refusedRow(row, error) : await refusedPlannedRow(row, error, { plan, useCases, caller })
  }
}
