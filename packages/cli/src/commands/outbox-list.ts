import type { PageRequest } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import { outboxRepresentation, undeliveredEventRepresentation } from '../representations.ts'
import type { Column } from '../table-printer.ts'
import { listUndelivered, type Undelivered } from '../undelivered.ts'
import type { Verb } from '../verb.ts'

interface Options extends ListOptions {
  readonly parked?: true
}

const entryOf = (entry: Undelivered) => ('mail' in entry ? entry.mail : entry.event)

const COLUMNS: readonly Column<Undelivered>[] = [
  { head: 'ID', cell: (entry) => ('mail' in entry ? entry.mail.id : `e${entry.event.id}`) },
  { head: 'KIND', cell: (entry) => ('mail' in entry ? entry.mail.kind : entry.event.event.type) },
  { head: 'SUBJECT', cell: (entry) => ('mail' in entry ? entry.mail.subscriptionId : entry.event.event.subject) },
  { head: 'WEBHOOK', cell: (entry) => ('mail' in entry ? '' : entry.event.webhook) },
  { head: 'STATE', cell: (entry) => stateOf(entry) },
  { head: 'ATTEMPTS', cell: (entry) => entryOf(entry).attempts },
  { head: 'DUE', cell: (entry) => dueTextOf(entry) },
  { head: 'LAST ERROR', cell: (entry) => entryOf(entry).lastError ?? '' },
]

const stateOf = (entry: Undelivered): string => {
  const { parkedAt, lastError } = entryOf(entry)
  if (parkedAt !== undefined) return 'parked'
  return lastError === undefined ? 'waiting' : 'retrying'
}

const dueTextOf = (entry: Undelivered): string => {
  const { parkedAt, notBefore } = entryOf(entry)
  return parkedAt === undefined ? shortInstantText(notBefore) : ''
}

export const outboxList: Verb = {
  name: 'list',
  summary: 'List mails and events that are not delivered yet',
  details:
    'Mails first, then events. What is parked is not tried again until `rollcall outbox retry` sends it. Events ' +
    `for a disabled webhook wait until it is enabled: see \`rollcall webhook list\`.\n${LIST_DETAILS}`,
  onlyHere: 'Listing the outbox',
  examples: ['rollcall outbox list', 'rollcall outbox list --parked --json'],
  define: (command, session) => {
    addListOptions(command)
      .option('--parked', 'only those that wait for a person')
      .action(async ({ parked, ...options }: Options) => {
        await session.withUseCases(async (useCases, caller) => {
          const page = (request: PageRequest) => listUndelivered(useCases, { ...request, parked }, caller)
          const nothing = parked ? 'Nothing is parked.' : 'The outbox is empty.'
          const representation = (entry: Undelivered) =>
            'mail' in entry ? outboxRepresentation(entry.mail) : undeliveredEventRepresentation(entry.event)
          await printList(session, { page, columns: COLUMNS, representation, nothing }, options)
        })
      })
  },
}
