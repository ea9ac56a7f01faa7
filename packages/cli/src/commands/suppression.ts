import { suppressionRecord } from '@rollcall/core'
import { listVerb } from '../listing.ts'
import { shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const list = listVerb({
  summary: 'List addresses that get no sign-up mail',
  details: "Their owners refused, or said 'never again'. Addresses are known by keyed hash only.",
  examples: ['rollcall suppression list', 'rollcall suppression list --json'],
  page: ({ listSuppressions }, request, caller) => listSuppressions.execute(request, caller),
  columns: [
    { head: 'ADDRESS', cell: ({ address }) => address },
    { head: 'CAUSE', cell: ({ cause }) => cause },
    { head: 'SINCE', cell: ({ since }) => shortInstantText(since) },
  ],
  representation: suppressionRecord,
  nothing: 'No address is suppressed.',
})

const lift: Verb = {
  name: 'lift',
  summary: 'Let sign-up mails go to an address again',
  details:
    'The owner asked for no such mails: lift it only if the owner asks for that. An address is lifted with its ' +
    'mailbox, which plus tags share; a hash is lifted alone. The audit trail names the hash.',
  examples: ['rollcall suppression lift ada@example.com', 'rollcall suppression lift 0123456789abcdef0123456789abcdef'],
  define: (command, session) =>
    command
      .argument('<address>', 'an e-mail address, or its hash as `rollcall suppression list` shows it')
      .action(async (given: string) => {
        const address = await session.execute('liftSuppression', { address: given })
        await session.answer({ address, outcome: 'lifted' }, `Lifted the suppression of ${address}.`)
      }),
}

export const verbs: readonly Verb[] = [list, lift]
