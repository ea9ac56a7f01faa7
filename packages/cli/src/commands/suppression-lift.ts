import type { Verb } from '../verb.ts'

export const suppressionLift: Verb = {
  name: 'lift',
  summary: 'Let sign-up mails go to an address again',
  details:
    'The owner asked for no such mails: lift it only if the owner asks for that. The audit trail names the hash.',
  examples: ['rollcall suppression lift ada@example.com', 'rollcall suppression lift 0123456789abcdef0123456789abcdef'],
  define: (command, session) => {
    command
      .argument('<address>', 'an e-mail address, or its hash as `rollcall suppression list` shows it')
      .action(async (given: string) => {
        const address = await session.withUseCases(({ liftSuppression }, caller) =>
          liftSuppression.execute({ address: given }, caller),
        )
        await session.answer({ address, outcome: 'lifted' }, `Lifted the suppression of ${address}.`)
      })
  },
}
