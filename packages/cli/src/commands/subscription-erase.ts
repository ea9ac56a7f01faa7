import { agree, agreeToNumber, requireSomebody } from '../agreement.ts'
import { eraseMany, eraseOne } from '../erase-subscriptions.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly reason?: string
  readonly yes?: boolean
}

const RULES =
  'Everything that hangs on them goes, too: what was agreed to, and mails that wait. A suppression of the address ' +
  'stays. Asks once; for more than one, to type their number. Goes on past those that are not there or refused, and ' +
  'exits 3 then.'

export const subscriptionErase: Verb = {
  name: 'erase',
  summary: 'Erase subscriptions for good',
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
        if (!yes) requireSomebody(session.io)
        const [only] = ids
        await session.withUseCases(async (useCases, caller) => {
          if (ids.length === 1 && only !== undefined) {
            if (!yes) {
              const found = await useCases.getSubscription.execute({ subscriptionId: only }, caller)
              const who = found.name === '' ? found.email : `${found.name}, ${found.email}`
              await session.note(`Subscription ${found.id}: ${who}. Feed ${found.feed}, ${found.status}.`)
              await agree(session, 'Erase this subscription for good?')
            }
            await eraseOne(session, useCases, caller, only, reason)
          } else {
            if (!yes) await agreeToNumber(session, ids.length, `Type ${ids.length} to erase so many subscriptions:`)
            await eraseMany(session, useCases, caller, ids, reason)
          }
        })
      })
  },
}
