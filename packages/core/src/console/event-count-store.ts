import type { EventType } from '../events/event-store.ts'
import type { Position } from '../page.ts'

/** How many events of a type a day had. */
export interface EventCount {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly type: EventType
  readonly count: number
}

export interface EventCountReader {
  /** From this day on, in no order that matters: there are at most a few hundred. */
  since(day: number): Promise<readonly EventCount[]>
  /** The last event that is counted; 0 before any is. In a unit of work it stays true until that ends. */
  position(): Promise<Position>
}

/** Counts without a person in them, so that no screen has to count events. */
export interface EventCountStore extends EventCountReader {
  setPosition(position: Position): Promise<void>
  add(count: EventCount): Promise<void>
  /** Forgets days before this one. */
  prune(day: number): Promise<number>
}
