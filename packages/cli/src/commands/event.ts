import { sortableCursorOf } from '@rollcall/core'
import { listVerb } from '../listing.ts'
import { shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const list = listVerb({
  summary: 'List what happened to subscriptions and users',
  details: 'The last 30 days. --after also takes the sequence of an event, to see what came after it.',
  examples: ['rollcall event list', 'rollcall event list --after 367 --json'],
  page: (service, { cursor: after, limit }) => service.ask('listEvents', { after, limit }),
  columns: [
    { head: 'SEQUENCE', cell: ({ sequence }) => sequence },
    { head: 'AT', cell: ({ time }) => shortInstantText(time) },
    { head: 'TYPE', cell: ({ type }) => type },
    { head: 'SUBJECT', cell: ({ subject }) => subject },
  ],
  nothing: 'Nothing happened.',
  next: (cursor) => sortableCursorOf(Number(cursor)),
})

export const verbs: readonly Verb[] = [list]
