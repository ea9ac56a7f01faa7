import { EVENT_TYPES, ListEventsUseCase, publishedEvent } from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import { after } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { listed } from './record-of.ts'
import { Subscription } from './subscription-record.ts'
import { User } from './user-record.ts'

const Event = s.named(
  'Event',
  s.record({
    specversion: s.always('1.0'),
    id: s.text('Unique, and never changes.'),
    source: s.text('The public URL of this service.'),
    type: s.oneOf(EVENT_TYPES),
    subject: s.text('The id of the subscription or the user.'),
    time: w.time,
    datacontenttype: s.always('application/json'),
    sequence: s.text("The value of 'after' to continue behind this event; sorts alphabetically."),
    data: s.anything({
      description:
        'The subject as it is now; only its id and its feed once it is erased, and in the event of its erasure.',
      anyOf: [
        Subscription,
        User,
        s.record({ id: s.anything({ type: ['integer', 'string'] }) }, { feed: s.text('Of a subscription.') }),
      ].map(s.jsonOf),
    }),
  }),
)

export const events = resource('Events', [
  operation('GET /events', {
    id: 'listEvents',
    summary: 'What happened in the last 30 days, as CloudEvents 1.0, in the order in which it came about.',
    guarded: ListEventsUseCase,
    query: after("The 'sequence' of the last event that is known, or the 'next' of the list before."),
    answers: { 200: s.named('EventList', w.listOf(Event)) },
    conditional: 'read',
    handle: async ({ useCases, query: { limit, after }, caller }) =>
      listed(await useCases.listEvents.execute({ limit, cursor: after }, caller), publishedEvent),
  }),
])
