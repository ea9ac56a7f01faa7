import { DELIVERABILITY_STATES, UndeliverableNotFound } from '@rollcall/core'
import { listVerb } from '../listing.ts'
import { inPath } from '../service/service.ts'
import { shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const list = listVerb({
  summary: 'List addresses at which mails come back',
  details:
    'To an undeliverable address senders write no more, and our own mails go to it once a week at most. Addresses are ' +
    'known by keyed hash only.',
  examples: ['rollcall undeliverable list', 'rollcall undeliverable list --state undeliverable --json'],
  filters: [['--state <state>', `only those that are ${DELIVERABILITY_STATES.join(' or ')}`]],
  page: (service, { state, limit, cursor }) => service.ask('listUndeliverable', { state, limit, cursor }),
  columns: [
    { head: 'ADDRESS', cell: ({ address }) => address },
    { head: 'STATE', cell: ({ state }) => state },
    { head: 'SINCE', cell: ({ since }) => shortInstantText(since) },
    { head: 'STATUS', cell: ({ status }) => status ?? '' },
  ],
  nothing: 'No mail came back.',
})

const lift: Verb = {
  name: 'lift',
  summary: 'Forget what is known against an address',
  details: 'Mails go to it again at once. The audit trail names its hash.',
  examples: [
    'rollcall undeliverable lift ada@example.com',
    'rollcall undeliverable lift 0123456789abcdef0123456789abcdef',
  ],
  define: (command, session) =>
    command
      .argument('<address>', 'an e-mail address, or its hash as `rollcall undeliverable list` shows it')
      .action(async (address: string) => {
        await session.ask('liftUndeliverable', { address: inPath(UndeliverableNotFound, address) })
        await session.answer({ address, outcome: 'lifted' }, `Mails go to ${address} again.`)
      }),
}

export const verbs: readonly Verb[] = [list, lift]
