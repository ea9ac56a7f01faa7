import { eventRecord, sortableCursorOf } from '@rollcall/core'
import { listVerb } from '../listing.ts'
import { shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const list = listVerb({
  summary: 'List what happened to subscriptions and users',
  details: 'The last 30 days. --after also takes the sequence of an event, to see what came after it.',
  examples: ['rollcall event list', 'rollcall event list --after 367 --json'],
  page: ({ listEvents }, request, caller) => listEvents.execute(request, caller),
  columns: [
    { head: 'SEQUENCE', cell: ({ event }) => sortableCursorOf(event.position) },
    { head: 'AT', cell: ({ event }) => shortInstantText(event.at) },
    { head: 'TYPE', cell: ({ event }) => event.type },
    { head: 'SUBJECT', cell: ({ event }) => event.subject },
  ],
  representation: eventRecord,
  nothing: 'Nothing happened.',
  next: sortableCursorOf,
})

export const verbs: readonly Verb[] = [list]
