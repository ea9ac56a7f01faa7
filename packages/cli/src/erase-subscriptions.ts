import type { Caller, DomainError } from '@rollcall/core'
import { interrupted } from './cli-error.ts'
import type { CliUseCases } from './cli-host.ts'
import { counted } from './counted.ts'
import { refusesOneRow } from './deletion/bulk-run.ts'
import { ExitCode } from './exit-code.ts'
import { failureOf } from './failure.ts'
import type { Session } from './session.ts'

type Erasing = Pick<CliUseCases, 'eraseSubscription'>

/** Erases the one that was named. */
export const eraseOne = async (
  session: Session,
  { eraseSubscription }: Erasing,
  caller: Caller,
  subscriptionId: string,
  reason: string | undefined,
): Promise<void> => {
  await eraseSubscription.execute({ subscriptionId, reason }, caller)
  await session.answer({ id: subscriptionId, outcome: 'erased' }, `Erased subscription ${subscriptionId}.`)
}

/** Erases several, goes on past the refused ones, and ends with a report. */
export const eraseMany = async (
  session: Session,
  { eraseSubscription }: Erasing,
  caller: Caller,
  ids: readonly string[],
  reason: string | undefined,
): Promise<void> => {
  const erased: string[] = []
  const refused: { readonly id: string; readonly error: DomainError }[] = []
  for (const subscriptionId of ids) {
    if (session.io.signal.aborted) break
    try {
      await eraseSubscription.execute({ subscriptionId, reason }, caller)
      erased.push(subscriptionId)
    } catch (error) {
      if (!refusesOneRow(error)) throw error
      refused.push({ id: subscriptionId, error })
    }
  }
  const told = refused.map(({ id, error }) => ({ id, ...failureOf(error) }))
  const document = { erased, refused: told.map(({ id, error, message, details }) => ({ id, error, message, details })) }
  await session.answer(document, `Erased ${counted(erased.length, 'subscription')}.`)
  if (!session.json)
    for (const { id, message, sentence = message } of told) await session.note(`Not erased: ${id}. ${sentence}`)
  if (erased.length + refused.length < ids.length) throw interrupted('Interrupted. The others were left alone.')
  if (refused.length > 0) session.exitCode = ExitCode.refused
}
