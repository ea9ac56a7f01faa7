import type { Caller } from '@rollcall/core'
import type { CliPlannedDeletion, CliUseCases } from '../cli-host.ts'
import { agree, requireTerminal } from '../question.ts'
import type { Session } from '../session.ts'
import { counted } from '../texts.ts'
import type { DeletionTerms } from './deletion-row.ts'

/** Deletes one user. Without `yes` it shows who that is, and asks. */
export const deleteOne = async (
  session: Session,
  userId: string,
  terms: DeletionTerms,
  { yes }: { readonly yes: boolean },
): Promise<void> => {
  if (!yes) requireTerminal(session.io)
  await session.withUseCases(async (useCases, caller) => {
    if (!yes) await askForOne(session, useCases, caller, userId, terms)
    const { reason, subscriptions } = terms
    const report = await useCases.deleteUser.execute({ userId, reason, subscriptions }, caller)
    const { subscriptionsErased: erased, subscriptionsKept: kept } = report
    const fate =
      subscriptions === 'erase'
        ? `${counted(erased, 'subscription')} of the same address erased, too.`
        : `${counted(kept, 'subscription')} of the same address kept.`
    const document = { id: report.userId, outcome: 'deleted', subscriptions_erased: erased, subscriptions_kept: kept }
    await session.answer(document, `Deleted user ${userId}. ${fate}`)
  })
}

/**
 * Shows who it is, and asks.
 * @throws {DomainError} the deletion would be refused, so there is nothing to ask
 * @throws {CliError} the answer is no
 */
export const askForOne = async (
  session: Session,
  { planUserDeletion }: CliUseCases,
  caller: Caller,
  userId: string,
  { reason, subscriptions }: DeletionTerms,
): Promise<void> => {
  const plan = await planUserDeletion.execute({ userId, reason }, caller)
  if (plan.refusal !== undefined) throw plan.refusal
  await session.note(described(plan, subscriptions))
  await agree(session, 'Delete this user permanently?')
}

const described = ({ userId, user, subscriptions }: CliPlannedDeletion, fate: 'keep' | 'erase'): string => {
  const who = user === undefined ? '' : `: ${user.name === '' ? user.email : `${user.name}, ${user.email}`}`
  const what = counted(subscriptions, 'subscription')
  return `User ${userId}${who}. ${what} of the same address ${fateOf(subscriptions, fate)}.`
}

const fateOf = (count: number, fate: 'keep' | 'erase'): string => {
  if (fate === 'erase') return count === 1 ? 'goes, too' : 'go, too'
  return count === 1 ? 'stays' : 'stay'
}
