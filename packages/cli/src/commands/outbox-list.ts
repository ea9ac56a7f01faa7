import type { PageRequest } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import { listOwed, type Owed } from '../owed.ts'
import { outboxRepresentation, undeliveredEventRepresentation } from '../representations.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

interface Options extends ListOptions {
  readonly parked?: true
}

const entryOf = (owed: Owed) => ('mail' in owed ? owed.mail : owed.event)

const COLUMNS: readonly Column<Owed>[] = [
  { head: 'ID', cell: (owed) => ('mail' in owed ? owed.mail.id : `e${owed.event.id}`) },
  { head: 'KIND', cell: (owed) => ('mail' in owed ? owed.mail.kind : owed.event.event.type) },
  { head: 'SUBJECT', cell: (owed) => ('mail' in owed ? owed.mail.subscriptionId : owed.event.event.subject) },
  { head: 'WEBHOOK', cell: (owed) => ('mail' in owed ? '' : owed.event.webhook) },
  { head: 'STATE', cell: (owed) => stateOf(owed) },
  { head: 'ATTEMPTS', cell: (owed) => entryOf(owed).attempts },
  { head: 'DUE', cell: (owed) => dueTextOf(owed) },
  { head: 'LAST ERROR', cell: (owed) => entryOf(owed).lastError ?? '' },
]

const stateOf = (owed: Owed): string => {
  const { parkedAt, lastError } = entryOf(owed)
  if (parkedAt !== undefined) return 'parked'
  return lastError === undefined ? 'waiting' : 'retrying'
}

const dueTextOf = (owed: Owed): string => {
  const { parkedAt, notBefore } = entryOf(owed)
  return parkedAt === undefined ? shortInstantText(notBefore) : ''
}

export const outboxList: Verb = {
  name: 'list',
  summary: 'List mails and events that are owed and not delivered yet',
  details:
    'Mails first, then events. What is parked is not tried again until `rollcall outbox retry` is told to. What is ' +
    `owed to a webhook that is disabled waits until it is enabled: see \`rollcall webhook list\`.\n${LIST_DETAILS}`,
  onlyHere: 'Listing the outbox',
  examples: ['rollcall outbox list', 'rollcall outbox list --parked --json'],
  define: (command, session) => {
    addListOptions(command)
      .option('--parked', 'only those that wait for a person')
      .action(async ({ parked, ...options }: Options) => {
        await session.withUseCases(async (useCases, caller) => {
          const page = (request: PageRequest) => listOwed(useCases, { ...request, parked }, caller)
          const nothing = parked ? 'Nothing is parked.' : 'Nothing is owed.'
          const representation = (owed: Owed) =>
            'mail' in owed ? outboxRepresentation(owed.mail) : undeliveredEventRepresentation(owed.event)
          await printList(session, { page, columns: COLUMNS, representation, nothing }, options)
        })
      })
  },
}
