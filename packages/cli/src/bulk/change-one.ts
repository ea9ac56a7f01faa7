import { randomUUID } from 'node:crypto'
import { agree, requireTerminal } from '../question.ts'
import { isRefusal, type Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { counted } from '../texts.ts'
import { refusalOf } from './bulk-row.ts'
import { undoable, undoableUntil } from './grace.ts'
import type { BulkTerms } from './kinds.ts'
import { keptSubscriptions, namingRestore } from './name-restore.ts'

/** Deletes one user. Without `yes` it shows who that is, and asks. */
export const deleteOne = async (
  session: Session,
  userId: string,
  terms: BulkTerms,
  { yes }: { readonly yes: boolean },
): Promise<void> => {
  if (!yes) requireTerminal(session)
  await namingRestore(session, userId, async (service, named) => {
    if (!yes) await askForOne(session, service, userId, terms)
    const { reason, subscriptions } = terms
    // By its name in the trail a deletion is known again, should its answer be lost.
    const requestId = randomUUID()
    await service
      .ask('deleteUser', { ...named, reason, subscriptions }, { requestId })
      .catch(async (error: unknown) => {
        if (!isRefusal(error, 'UserDeleted')) throw error
        const { request_id } = await service.ask('getErasureReceipt', named)
        if (request_id !== requestId) throw error
      })
    const receipt = await service.ask('getErasureReceipt', named)
    const [erased, kept] = [receipt.erased.subscriptions, keptSubscriptions(receipt)]
    const fate =
      subscriptions === 'erase'
        ? `${counted(erased, 'subscription')} of the same address erased, too.`
        : `${counted(kept, 'subscription')} of the same address kept.`
    const { erases_at } = receipt
    const document = { id: userId, outcome: 'deleted', subscriptions_erased: erased, subscriptions_kept: kept }
    await session.answer(
      { ...document, ...(erases_at !== null && { erases_at }) },
      `Deleted user ${userId}. ${fate} ${undoableUntil(erases_at, userId)}`,
    )
  })
}

/**
 * Shows who it is, and asks.
 * @throws {RollcallError} the deletion would be refused, so there is nothing to ask
 * @throws {CliError} the answer is no
 */
export const askForOne = async (
  session: Session,
  service: Service,
  userId: string,
  terms: BulkTerms,
): Promise<void> => {
  const body = { ...terms, users: [{ id: userId }], dry_run: true }
  const { users, grace = 0 } = await service.ask('deleteUsers', { body })
  const [found] = users
  if (found?.user === undefined || found.error !== undefined)
    throw refusalOf({ name: found?.error ?? 'UserNotFound', message: found?.message ?? '' })
  const { name, email } = found.user
  const count = found.subscriptions ?? 0
  const who = name === '' ? email : `${name}, ${email}`
  const what = counted(count, 'subscription')
  const fate = `${what} of the same address ${fateOf(count, terms.subscriptions)}.`
  await session.note(`User ${userId}: ${who}. ${fate} ${undoable(grace, userId)}`)
  await agree(session, grace === 0 ? 'Delete this user permanently?' : 'Delete this user?')
}

const fateOf = (count: number, fate: BulkTerms['subscriptions']): string => {
  if (fate === 'erase') return count === 1 ? 'goes, too' : 'go, too'
  return count === 1 ? 'stays' : 'stay'
}
