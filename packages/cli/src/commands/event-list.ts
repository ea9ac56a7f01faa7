import { eventRecord, type PageRequest, type PublishedEvent, sortableCursorOf } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

const COLUMNS: readonly Column<PublishedEvent>[] = [
  { head: 'SEQUENCE', cell: ({ event }) => sortableCursorOf(event.position) },
  { head: 'AT', cell: ({ event }) => shortInstantText(event.at) },
  { head: 'TYPE', cell: ({ event }) => event.type },
  { head: 'SUBJECT', cell: ({ event }) => event.subject },
]

export const eventList: Verb = {
  name: 'list',
  summary: 'List what happened to subscriptions and users',
  details: `The last 30 days. --after also takes the sequence of an event, to see what came after it.\n${LIST_DETAILS}`,
  examples: ['rollcall event list', 'rollcall event list --after 367 --json'],
  define: (command, session) => {
    addListOptions(command).action(async (options: ListOptions) => {
      await session.withUseCases(async ({ listEvents }, caller) => {
        const page = (request: PageRequest) => listEvents.execute(request, caller)
        const listing = { page, columns: COLUMNS, representation: eventRecord, next: sortableCursorOf }
        await printList(session, { ...listing, nothing: 'Nothing happened.' }, options)
      })
    })
  },
}
