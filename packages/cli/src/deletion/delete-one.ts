import type { Caller } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { counted } from '../counted.ts'
import { deletionRepresentation } from '../representations.ts'
import type { Session } from '../session.ts'
import { askForOne } from './ask-before-deleting.ts'
import type { DeletionOrder } from './deletion-order.ts'

/** Deletes one user that was named by hand. */
export const deleteOne = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  userId: string,
  order: DeletionOrder,
): Promise<void> => {
  if (!order.yes) await askForOne(session, useCases, caller, userId, order)
  const { reason, subscriptions } = order
  const report = await useCases.deleteUser.execute({ userId, reason, subscriptions }, caller)
  const { subscriptionsErased: erased, subscriptionsKept: kept } = report
  const fate =
    subscriptions === 'erase'
      ? `${counted(erased, 'subscription')} of the same address erased, too.`
      : `${counted(kept, 'subscription')} of the same address kept.`
  await session.answer(deletionRepresentation(report), `Deleted user ${userId}. ${fate}`)
}
