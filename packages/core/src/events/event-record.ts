import { sortableCursorOf } from '../page.ts'
import { type PublishedSubscription, subscriptionRecord } from '../published/subscription-record.ts'
import { timestamp } from '../published/timestamp.ts'
import { type PublishedUser, userRecord } from '../published/user-record.ts'
import type { EnrichedEvent } from './enriched-event.ts'

/** The public form of the subject of an event. */
export type PublishedSubject =
  | { readonly kind: 'subscription'; readonly subscription: PublishedSubscription }
  | { readonly kind: 'user'; readonly user: PublishedUser }

/** The public form of an event. */
export type PublishedEvent = Omit<EnrichedEvent, 'subject'> & { readonly subject: PublishedSubject | undefined }

/**
 * An event as everybody outside sees it: CloudEvents 1.0. `sequence` is the cursor behind it.
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 * @see https://github.com/cloudevents/spec/blob/main/cloudevents/extensions/sequence.md
 */
export const eventRecord = ({ event, source, subject }: PublishedEvent) => ({
  specversion: '1.0',
  id: eventId(event),
  source,
  type: event.type,
  subject: event.subject,
  time: timestamp(event.at),
  datacontenttype: 'application/json',
  sequence: sortableCursorOf(event.position),
  data: subject === undefined ? { id: idOf(event) } : dataOf(subject),
})

/** The same wherever and however often the event is published. */
export const eventId = ({ position, at }: EnrichedEvent['event']): string => `${position}-${at}`

const dataOf = (subject: PublishedSubject) =>
  subject.kind === 'user' ? userRecord(subject.user) : subscriptionRecord(subject.subscription)

/** As the records have it: a number for a subscription, a text for a user. */
const idOf = ({ type, subject }: EnrichedEvent['event']): number | string =>
  type.startsWith('user.') ? subject : Number(subject)
