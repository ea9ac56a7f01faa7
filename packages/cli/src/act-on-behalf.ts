import { subscriptionRecord } from '@rollcall/core'
import type { Command } from 'commander'
import type { Session } from './session.ts'

export type OnBehalfDeed = 'confirmOnBehalf' | 'endOnBehalf'

const DONE: Readonly<Record<OnBehalfDeed, string>> = { confirmOnBehalf: 'Confirmed', endOnBehalf: 'Ended' }
const ALREADY: Readonly<Record<OnBehalfDeed, string>> = {
  confirmOnBehalf: 'was confirmed already',
  endOnBehalf: 'had ended already',
}

/** Makes the command one that does something to a subscription for its owner. */
export const defineOnBehalf = (command: Command, session: Session, deed: OnBehalfDeed): void => {
  command
    .argument('<id>', 'of the subscription')
    .requiredOption('--reason <text>', "why, for the audit trail; without the owner's name and address")
    .action(async (subscriptionId: string, { reason }: { readonly reason: string }) => {
      const { subscription, already } = await session.withUseCases((useCases, caller) =>
        useCases[deed].execute({ subscriptionId, reason }, caller),
      )
      const { id } = subscription
      const sentence = already ? `Subscription ${id} ${ALREADY[deed]}.` : `${DONE[deed]} subscription ${id}.`
      await session.answer({ changed: !already, subscription: subscriptionRecord(subscription) }, sentence)
    })
}
