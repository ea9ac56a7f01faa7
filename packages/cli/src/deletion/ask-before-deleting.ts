import { type Caller, type PlannedDeletion, UserDeleted } from '@rollcall/core'
import { agree, agreeToNumber } from '../agreement.ts'
import type { CliUseCases } from '../cli-host.ts'
import { counted } from '../counted.ts'
import type { Session } from '../session.ts'
import type { DeletionOrder } from './deletion-order.ts'

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
  { reason, subscriptions }: DeletionOrder,
): Promise<void> => {
  const plan = await planUserDeletion.execute({ userId, reason }, caller)
  if (plan.refusal !== undefined) throw plan.refusal
  await session.note(described(plan, subscriptions))
  await agree(session, 'Delete this user for good?')
}

/** The same for one row of a list, where a user who is gone already is as good as deleted. */
export const askForOneOfList = async (...args: Parameters<typeof askForOne>): Promise<void> => {
  try {
    await askForOne(...args)
  } catch (error) {
    if (!(error instanceof UserDeleted)) throw error
  }
}

/** @throws {CliError} the number was not typed */
export const askForMany = async (
  session: Session,
  users: number,
  { subscriptions, plan }: DeletionOrder,
): Promise<void> => {
  const fate = subscriptions === 'erase' ? 'are erased, too' : 'stay'
  if (plan !== undefined) await session.note(`This plan was made by ${plan.createdBy} at ${plan.createdAt}.`)
  await session.note(`${counted(users, 'user')} will be deleted for good. Subscriptions of their addresses ${fate}.`)
  await agreeToNumber(session, users, `Type ${users} to delete them:`)
}

const described = ({ userId, user, subscriptions }: PlannedDeletion, fate: 'keep' | 'erase'): string => {
  const who = user === undefined ? '' : `: ${user.name === '' ? user.email : `${user.name}, ${user.email}`}`
  const what = counted(subscriptions, 'subscription')
  return `User ${userId}${who}. ${what} of the same address ${fateOf(subscriptions, fate)}.`
}

const fateOf = (count: number, fate: 'keep' | 'erase'): string => {
  if (fate === 'erase') return count === 1 ? 'goes, too' : 'go, too'
  return count === 1 ? 'stays' : 'stay'
}
