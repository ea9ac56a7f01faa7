import type { Instant } from '../instant.ts'
import type { Position } from '../page.ts'

export const EVENT_TYPES = [
  'subscription.pending',
  'subscription.confirmed',
  'subscription.ended',
  'subscription.erased',
  'user.created',
  'user.updated',
  'user.deleted',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/**
 * Something that happened to a subscription or a user. It holds the id alone: the subject's other data is read
 * when the event is, so that nothing of an erased person is left in older events.
 */
export interface DomainEvent {
  readonly type: EventType
  /** The id of the subscription or the user. */
  readonly subject: string
  readonly at: Instant
}

/** An event in its place. */
export interface EventRecord extends DomainEvent {
  readonly position: Position
}
