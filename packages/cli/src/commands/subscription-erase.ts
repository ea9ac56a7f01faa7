import type { Caller, DomainError } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { counted } from '../counted.ts'
import { refusesOneRow } from '../deletion/bulk-run.ts'
import { ExitCode } from '../exit-code.ts'
import { failureOf } from '../failure.ts'
import { agree, agreeToNumber, requireTerminal } from '../question.ts'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly reason?: string
  readonly yes?: boolean
}

const RULES =
  'Everything that belongs to them is erased, too: the ledger of consent, and mails that wait. A suppression of ' +
  'the address stays. Asks once; for more than one, you type their number. Goes on past those that are not ' +
  'there or refused, and then exits with 3.'

export const subscriptionErase: Verb = {
  name: 'erase',
  summary: 'Erase subscriptions permanently',
  details: RULES,
  examples: [
    'rollcall subscription erase 8127340912345678 --reason "asked for it, ticket 4711"',
    'rollcall subscription erase 8127340912345678 5512340912345671 --yes --json',
  ],
  define: (command, session) => {
    command
      .argument('<id...>', 'of the subscriptions')
      .option('--reason <text>', "why, for the audit trail; without the owner's name and address")
      .option('--yes', 'do not ask')
      .action(async (texts: string[], { reason, yes = false }: Options) => {
        const ids = [...new Set(texts)]
        if (!yes) requireTerminal(session.io)
        const [only] = ids
        await session.withUseCases(async (useCases, caller) => {
          if (ids.length === 1 && only !== undefined) {
            if (!yes) {
              const found = await useCases.getSubscription.execute({ subscriptionId: only }, caller)
              const who = found.name === '' ? found.email : `${found.name}, ${found.email}`
              await session.note(`Subscription ${found.id}: ${who}. Feed ${found.feed}, ${found.status}.`)
              await agree(session, 'Erase this subscription permanently?')
            }
            await eraseOne(session, useCases, caller, only, reason)
          } else {
            if (!yes) await agreeToNumber(session, ids.length, `Type ${ids.length} to erase that many subscriptions:`)
            await eraseMany(session, useCases, caller, ids, reason)
          }
        })
      })
  },
}

type Erasing = Pick<CliUseCases, 'eraseSubscription'>

/** Erases the one that was named. */
const eraseOne = async (
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
const eraseMany = async (
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
  const failures = refused.map(({ id, error }) => ({ id, ...failureOf(error) }))
  const document = {
    erased,
    refused: failures.map(({ id, error, message, details }) => ({ id, error, message, details })),
  }
  await session.answer(document, `Erased ${counted(erased.length, 'subscription')}.`)
  if (!session.json)
    for (const { id, message, sentence = message } of failures) await session.note(`Not erased: ${id}. ${sentence}`)
  if (erased.length + refused.length < ids.length) throw interrupted('Interrupted. The others were not erased.')
  if (refused.length > 0) session.exitCode = ExitCode.refused
}
