import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { DomainEvent, EventRecord } from './domain-event.ts'

export interface EventReader {
  /**
   * In the order in which they came about, without gaps: a reader that continues from a position misses none, however many
   * units of work append at the same time. An event's position is its cursor, and never used again.
   */
  list(stretch: Stretch): Promise<Page<EventRecord>>
}

/** What happened, for others to follow. */
export interface EventStore extends EventReader {
  append(event: DomainEvent): Promise<void>
  /** Forgets up to `limit` events, the oldest first, that are from before `before`; says how many it forgot. */
  prune(before: Instant, limit: number): Promise<number>
}
