import type { Readers } from '../storage/readers.ts'
import { asSubscriptionId, type Subscription } from '../subscriptions/subscription.ts'
import type { User } from '../users/user.ts'
import { asUserId } from '../users/user-id.ts'
import type { EventRecord } from './domain-event.ts'

/** What an event is about, as it is now. */
export type EventSubject =
  | { readonly kind: 'subscription'; readonly subscription: Subscription }
  | { readonly kind: 'user'; readonly user: User }

/** An event with the data of its subject that may be published. */
export interface EnrichedEvent {
  readonly event: EventRecord
  /** Where it happened: what the world calls this service. */
  readonly source: string
  /** Undefined where it is gone, or the event is of an earlier life of it, or says that it went. */
  readonly subject: EventSubject | undefined
}

export type Subjects = Pick<Readers, 'subscriptions' | 'users'>

/** The events, each with its subject as it is now. */
export const enrichEvents = async (
  events: readonly EventRecord[],
  readers: Subjects,
  source: string,
): Promise<EnrichedEvent[]> => {
  const enriched: EnrichedEvent[] = []
  const known = new Map<string, EventSubject | undefined>()
  for (const event of events) {
    const key = `${event.type.split('.', 1)} ${event.subject}`
    if (!known.has(key)) known.set(key, await subjectOf(event, readers))
    const subject = known.get(key)
    enriched.push({ event, source, subject: subject && isOfThisLife(event, subject) ? subject : undefined })
  }
  return enriched
}

const subjectOf = async (
  { type, subject }: EventRecord,
  { subscriptions, users }: Subjects,
): Promise<EventSubject | undefined> => {
  if (type.startsWith('user.')) {
    const id = asUserId(subject)
    const user = id && (await users.find(id))
    return user && { kind: 'user', user }
  }
  const id = asSubscriptionId(subject)
  const subscription = id === undefined ? undefined : await subscriptions.find(id)
  return subscription && { kind: 'subscription', subscription }
}

/** A subscription keeps its id when it is erased and created again: earlier events are not about the new one. */
const isOfThisLife = ({ type, at }: EventRecord, subject: EventSubject): boolean => {
  if (type === 'subscription.erased' || type === 'user.deleted') return false
  return at >= (subject.kind === 'user' ? subject.user : subject.subscription).createdAt
}
