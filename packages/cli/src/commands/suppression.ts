import { LIFTED_CAUSES, SuppressionNotFound } from '@rollcall/core'
import { Option } from 'commander'
import { listVerb } from '../listing.ts'
import { inPath } from '../service/service.ts'
import { shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { suppressionCheck, suppressionImport } from './suppression-import.ts'

const list = listVerb({
  summary: 'List addresses that get no mail',
  details:
    "'refused' and 'never-again' are what an owner asked for: they stop our own mails, but for the link to the " +
    "preferences, which goes out on request, once in 30 days. 'blocked' and 'complaint' stop every mail. Addresses are " +
    'known by keyed hash only.',
  examples: ['rollcall suppression list', 'rollcall suppression list --json'],
  page: (service, { limit, cursor }) => service.ask('listSuppressions', { limit, cursor }),
  columns: [
    { head: 'ADDRESS', cell: ({ address }) => address },
    {
      head: 'CAUSE',
      cell: ({ cause, block }) => (block && block.cause !== cause ? `${cause}, ${block.cause}` : cause),
    },
    { head: 'SINCE', cell: ({ since }) => shortInstantText(since) },
  ],
  nothing: 'No address is suppressed.',
})

const lift: Verb = {
  name: 'lift',
  summary: 'Let mails go to an address again',
  details:
    'Where the owner asked for no mails, lift it only if the owner asks for that. An address is lifted with its ' +
    'mailbox, which plus tags share; a hash is lifted alone, and events say nothing of its subscriptions. An address ' +
    'that is suppressed by its owner and blocked as well needs --cause. The audit trail names the hash.',
  examples: [
    'rollcall suppression lift ada@example.com',
    'rollcall suppression lift ada@example.com --cause blocked',
    'rollcall suppression lift 0123456789abcdef0123456789abcdef --cause all',
  ],
  define: (command, session) =>
    command
      .argument('<address>', 'an e-mail address, or its hash as `rollcall suppression list` shows it')
      .addOption(new Option('--cause <cause>', 'lift this one alone, or all').choices([...LIFTED_CAUSES]))
      .action(async (address: string, { cause }: { cause?: string }) => {
        await session.ask('liftSuppression', { address: inPath(SuppressionNotFound, address), cause })
        await session.answer({ address, outcome: 'lifted' }, `Lifted the suppression of ${address}.`)
      }),
}

export const verbs: readonly Verb[] = [list, lift, suppressionCheck, suppressionImport]
