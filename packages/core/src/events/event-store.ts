import type { FeedName } from '../feeds/feed.ts'
import { type Instant, MINUTE } from '../instant.ts'
import type { EventCause } from '../numbers/counted.ts'
import type { Page, Position, Stretch } from '../page.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { idInDecimal } from '../subscriptions/subscription-id.ts'

export const EVENT_TYPES = [
  'subscription.pending',
  'subscription.confirmed',
  'subscription.ended',
  'subscription.erased',
  'subscription.updated',
  'subscription.blocked',
  'subscription.unblocked',
  'subscription.undeliverable',
  'subscription.deliverable',
  'user.created',
  'user.updated',
  'user.suspended',
  'user.resumed',
  'user.deleted',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
export type SubscriptionEventType = Extract<EventType, `subscription.${string}`>

/**
 * Something that happened to a subscription or a user. It holds the id and the feed alone: the subject's other data is
 * read when the event is, so that nothing of an erased person is left in older events.
 */
export interface DomainEvent {
  readonly type: EventType
  /** The id of the subscription or the user. */
  readonly subject: string
  readonly at: Instant
  /** Of a subscription; an event of the first release has none, nor has one of a user. */
  readonly feed?: FeedName | undefined
  /** The trace that it belongs to, as in a `PendingMail`. */
  readonly traceContext?: string | undefined
  /** Why, for the numbers; not kept with the event. */
  readonly because?: EventCause | undefined
}

/** What all of the subscription's events are made by: each keeps its feed. */
export const subscriptionEvent = (
  type: SubscriptionEventType,
  { id, feed }: Pick<Subscription, 'id' | 'feed'>,
  at: Instant,
  because?: EventCause,
): DomainEvent => ({ type, subject: idInDecimal(id), at, feed, because })

/** An event in its place, which it gets from the sealer once it is committed. */
export interface EventRecord extends Omit<DomainEvent, 'because'> {
  readonly position: Position
}

export interface EventReader {
  /**
   * In the order in which they came about, without gaps, but where a restore left one: a reader that continues from a position misses none, however many
   * units of work append at the same time. An event's position is its cursor, and never used again.
   */
  list(stretch: Stretch): Promise<Page<EventRecord>>
  /** Where the newest event is; 0 if there never was one. Every later one is behind it. */
  last(): Promise<Position>
  /** Whether there are events without a position: no list has them yet. */
  hasUnnumbered(): Promise<boolean>
}

/** What happened, for others to follow. */
export interface EventStore extends EventReader {
  /** In their order. Adds `numbersOf` each to the numbers, too. Waits for nobody. To be called once the unit has looked at the subjects, as with `AuditStore.append`. */
  append(...events: DomainEvent[]): Promise<void>
  /**
   * Gives up to `limit` events that have none their positions, those appended first at first; how many. To be called in
   * the turn to seal (`AuditStore.newestSeal`).
   */
  number(limit: number): Promise<number>
  /** Forgets up to `limit` events, the oldest first, that are from before `before`; says how many it forgot. */
  prune(before: Instant, limit: number): Promise<number>
}

/** Longer than a unit of work takes, so longer than an event may stand behind one with a later time. */
const MOST_OUT_OF_ORDER = MINUTE
const STRETCH = 200

/** The position behind which every event from this time on is, unless clocks were set back by more than a minute. */
export const positionAt = async (events: Pick<EventReader, 'list'>, time: Instant): Promise<Position> => {
  let after: Position | undefined = await positionIfInOrder(events, time - MOST_OUT_OF_ORDER)
  let last = after
  while (after !== undefined) {
    const page: Page<EventRecord> = await events.list({ after, limit: STRETCH })
    const found = page.items.find(({ at }) => at >= time)
    if (found !== undefined) return found.position - 1
    last = page.items.at(-1)?.position ?? last
    after = page.next
  }
  return last
}

/** The same if no event has an earlier time than one before it. Positions have no gaps, so that a few lookups find it. */
const positionIfInOrder = async (events: Pick<EventReader, 'list'>, time: Instant): Promise<Position> => {
  const behind = async (position: Position) => (await events.list({ after: position, limit: 1 })).items[0]
  let first = await behind(0)
  let before = (first?.position ?? 1) - 1
  let step = 1
  // Doubling finds one that is late enough, halving the first of these.
  while (first !== undefined && first.at < time) {
    before = first.position
    first = await behind(before + step)
    step *= 2
  }
  let after = first === undefined ? before + step : first.position - 1
  while (before < after) {
    const middle = Math.floor((before + after) / 2)
    const event = await behind(middle)
    if (event !== undefined && event.at < time) before = event.position
    else after = middle
  }
  return before
}
