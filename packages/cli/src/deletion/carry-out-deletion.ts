import type { Caller } from '@rollcall/core'
import { requireSomebody } from '../agreement.ts'
import { usageError } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { requireAbsent } from '../new-file.ts'
import type { Session } from '../session.ts'
import { deleteMany } from './delete-many.ts'
import { deleteOne } from './delete-one.ts'
import type { DeletionOrder } from './deletion-order.ts'
import type { IdSource } from './id-source.ts'
import { keptAside } from './kept-aside.ts'
import { planDeletions } from './plan-deletions.ts'
import { requireReportName } from './row-report.ts'

/** Does what was ordered, once it is known that it can be done at all. */
export const carryOutDeletion = async (session: Session, source: IdSource, order: DeletionOrder): Promise<void> => {
  await session.requireForeign(order.reportFile, order.planFile)
  if (order.reportFile !== undefined) {
    requireReportName(order.reportFile)
    await requireAbsent(order.reportFile)
  }
  if (order.planFile !== undefined) await requireAbsent(order.planFile)
  if (!order.dryRun && !order.yes) {
    requireSomebody(session.io)
    if (!source.rereadable)
      throw usageError(
        'This list can be read only once, so nobody can be asked before. Add --yes, or save it to a file.',
      )
  }
  await session.withUseCases(async (useCases, operator) => {
    // With the plan's id in every record of the trail, a later run knows what an earlier one has done.
    const caller = order.plan === undefined ? operator : { ...operator, requestId: order.plan.id }
    if (order.dryRun) await planDeletions(session, useCases, caller, source, order)
    else if (order.single !== undefined) await deleteOne(session, useCases, caller, order.single, order)
    else await deleteRereadably(session, useCases, caller, source, order)
  })
}

/** A reason is held against everybody in the list before anybody goes, so the list is gone through twice. */
const deleteRereadably = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  source: IdSource,
  order: DeletionOrder,
): Promise<void> => {
  if (source.rereadable || order.reason === undefined) return await deleteMany(session, useCases, caller, source, order)
  await using kept = await keptAside(source)
  await deleteMany(session, useCases, caller, kept, order)
}
