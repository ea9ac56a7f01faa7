import { fieldsMadeVisible } from '../feeds/visible-fields.ts'
import { withMoves } from '../moves/moved-subscriptions.ts'
import { sortableCursorOf } from '../page.ts'
import { publishedSubscription } from '../published/subscription.ts'
import { timestamp } from '../published/timestamp.ts'
import { publishedUser } from '../published/user.ts'
import type { Readers } from '../readers.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { asSubscriptionId, idInDecimal } from '../subscriptions/subscription-id.ts'
import { asUserId, type User } from '../users/user.ts'
import type { EventRecord } from './event-store.ts'

/** What an event is about, as it is now. */
export type EventSubject =
  | { readonly kind: 'subscription'; readonly subscription: Subscription }
  | { readonly kind: 'user'; readonly user: User }

/** An event with the data of its subject that may be published. */
export interface EnrichedEvent {
  readonly event: EventRecord
  /** Where it happened: what the world calls this service. */
  readonly source: string
  /** Undefined if it is gone, or the event is of an earlier life of it, or says that it went. */
  readonly subject: EventSubject | undefined
}

export type Subjects = Pick<Readers, 'feeds' | 'moves' | 'subscriptions' | 'users'>

/** The events, each with its subject as it is now: they are read together. */
export const enrichEvents = async (
  events: readonly EventRecord[],
  { feeds, moves, subscriptions, users }: Subjects,
  source: string,
): Promise<EnrichedEvent[]> => {
  const idsOf = <Id>(kind: EventSubject['kind'], read: (text: string) => Id | undefined): Id[] => [
    ...new Set(events.flatMap(({ type, subject }) => (type.startsWith(kind) && read(subject)) || [])),
  ]
  const [foundUsers, found] = await Promise.all([
    Promise.all(idsOf('user', asUserId).map(async (id) => [id, await users.find(id)] as const)),
    subscriptions.findMany(idsOf('subscription', asSubscriptionId)),
  ])
  const visible = await Promise.all((await withMoves(moves, found)).map(fieldsMadeVisible(feeds)))
  const userOf = new Map<string, User | undefined>(foundUsers)
  const subscriptionOf = new Map(visible.map((one) => [idInDecimal(one.id), one]))
  const subjectOf = ({ type, subject }: EventRecord): EventSubject | undefined => {
    const [user, subscription] = [userOf.get(subject), subscriptionOf.get(subject)]
    if (type.startsWith('user.')) return user && { kind: 'user', user }
    return subscription && { kind: 'subscription', subscription }
  }
  return events.map((event) => {
    const subject = subjectOf(event)
    return { event, source, subject: subject && isOfThisLife(event, subject) ? subject : undefined }
  })
}

/** A subscription keeps its id when it is erased and created again: earlier events are not about the new one. */
const isOfThisLife = ({ type, at }: EventRecord, subject: EventSubject): boolean => {
  if (type === 'subscription.erased' || type === 'user.deleted') return false
  return at >= (subject.kind === 'user' ? subject.user : subject.subscription).createdAt
}

/**
 * An event as everybody outside sees it: CloudEvents 1.0. `sequence` is the cursor behind it.
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 * @see https://github.com/cloudevents/spec/blob/main/cloudevents/extensions/sequence.md
 */
export const publishedEvent = ({ event, source, subject }: EnrichedEvent) => ({
  specversion: '1.0' as const,
  id: eventId(event),
  source,
  type: event.type,
  subject: event.subject,
  time: timestamp(event.at),
  datacontenttype: 'application/json' as const,
  sequence: sortableCursorOf(event.position),
  data: subject === undefined ? remainsOf(event) : dataOf(subject),
})

/** The same wherever and however often the event is published. */
export const eventId = ({ position, at }: EnrichedEvent['event']): string => `${position}-${at}`

const dataOf = (subject: EventSubject) =>
  subject.kind === 'user' ? publishedUser(subject.user) : publishedSubscription(subject.subscription)

/** The id as the records have it: a number for a subscription, a text for a user. An event of the first release has no feed. */
const remainsOf = ({ type, subject, feed }: EnrichedEvent['event']) => {
  const id = type.startsWith('user.') ? subject : Number(subject)
  return feed === undefined ? { id } : { id, feed }
}
