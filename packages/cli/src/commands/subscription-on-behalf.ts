import { subscriptionRecord } from '@rollcall/core'
import type { Command } from 'commander'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

export const subscriptionConfirm: Verb = {
  name: 'confirm',
  summary: 'Confirm a subscription for its owner, who said so elsewhere',
  details: 'The ledger and the audit trail name who did it. One that has ended cannot be confirmed but by its owner.',
  examples: ['rollcall subscription confirm 8127340912345678 --reason "signed at the fair, list 3"'],
  define: (command, session) => defineOnBehalf(command, session, 'confirmOnBehalf'),
}

export const subscriptionEnd: Verb = {
  name: 'end',
  summary: 'End a subscription for its owner, who asked for it elsewhere',
  details: 'Its data stay as evidence of what was agreed to; `rollcall subscription erase` erases them.',
  examples: ['rollcall subscription end 8127340912345678 --reason "asked for it by letter"'],
  define: (command, session) => defineOnBehalf(command, session, 'endOnBehalf'),
}

type Action = 'confirmOnBehalf' | 'endOnBehalf'

const DONE: Readonly<Record<Action, string>> = { confirmOnBehalf: 'Confirmed', endOnBehalf: 'Ended' }
const ALREADY: Readonly<Record<Action, string>> = {
  confirmOnBehalf: 'was confirmed already',
  endOnBehalf: 'had ended already',
}

/** Makes the command one that does something to a subscription for its owner. */
const defineOnBehalf = (command: Command, session: Session, action: Action): void => {
  command
    .argument('<id>', 'of the subscription')
    .requiredOption('--reason <text>', "why, for the audit trail; without the owner's name and address")
    .action(async (subscriptionId: string, { reason }: { readonly reason: string }) => {
      const { subscription, already } = await session.withUseCases((useCases, caller) =>
        useCases[action].execute({ subscriptionId, reason }, caller),
      )
      const { id } = subscription
      const sentence = already ? `Subscription ${id} ${ALREADY[action]}.` : `${DONE[action]} subscription ${id}.`
      await session.answer({ changed: !already, subscription: subscriptionRecord(subscription) }, sentence)
    })
}
