import type { OutboxEntry, PageRequest } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import { outboxRepresentation } from '../representations.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

interface Options extends ListOptions {
  readonly parked?: true
}

const COLUMNS: readonly Column<OutboxEntry>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'KIND', cell: ({ kind }) => kind },
  { head: 'SUBSCRIPTION', cell: ({ subscriptionId }) => subscriptionId },
  { head: 'STATE', cell: (entry) => stateOf(entry) },
  { head: 'ATTEMPTS', cell: ({ attempts }) => attempts },
  { head: 'DUE', cell: ({ notBefore, parkedAt }) => (parkedAt === undefined ? shortInstantText(notBefore) : '') },
  { head: 'LAST ERROR', cell: ({ lastError }) => lastError ?? '' },
]

const stateOf = ({ parkedAt, lastError }: OutboxEntry): string => {
  if (parkedAt !== undefined) return 'parked'
  return lastError === undefined ? 'waiting' : 'retrying'
}

export const outboxList: Verb = {
  name: 'list',
  summary: 'List mails that are owed and not delivered yet',
  details: `A parked mail is not tried again until \`rollcall outbox retry\` is told to.\n${LIST_DETAILS}`,
  onlyHere: 'Listing the outbox',
  examples: ['rollcall outbox list', 'rollcall outbox list --parked --json'],
  define: (command, session) => {
    addListOptions(command)
      .option('--parked', 'only those that wait for a person')
      .action(async ({ parked, ...options }: Options) => {
        await session.withUseCases(async ({ listOutbox }, caller) => {
          const page = (request: PageRequest) => listOutbox.execute({ ...request, parked }, caller)
          const nothing = parked ? 'No mail is parked.' : 'No mail is owed.'
          await printList(session, { page, columns: COLUMNS, representation: outboxRepresentation, nothing }, options)
        })
      })
  },
}
