import type { FeedName } from '../feeds/feed.ts'
import type { SubscriptionStatus } from '../subscriptions/subscription.ts'
import type { Counted, NumberChange } from './counted.ts'
import type { DayRange } from './periods.ts'

/** A stretch of days, both of them included; of one feed, or of all and of none. */
export interface NumberFilter extends DayRange {
  readonly feed: FeedName | undefined
}

export interface DailyNumber {
  readonly day: number
  readonly what: Counted
  readonly count: number
}

/** How many readers more there are since the day before a stretch of days than at its end. */
export interface NetNumber {
  /** Undefined if it is of all feeds. */
  readonly feed: FeedName | undefined
  /** The last one of the stretch. */
  readonly day: number
  readonly net: number
}

/** How many there ever were, of all feeds and of none. */
export type EverNumber = Pick<DailyNumber, 'what' | 'count'>

export interface CurrentNumber {
  readonly feed: FeedName
  readonly status: SubscriptionStatus
  readonly count: number
}

/** What changes have added is in the numbers once it is folded; see `NumberStore.fold`. */
export interface NumberReader {
  /** In no order that matters; none for what there was none of. */
  daily(filter: NumberFilter): Promise<readonly DailyNumber[]>
  /**
   * What was joined less what was left, of each of these feeds, or of all together: in stretches so short that each whole
   * number of weeks, or of 30 days, back from the last day is a sum of them.
   */
  net(filter: { readonly feeds: readonly FeedName[] | undefined } & DayRange): Promise<readonly NetNumber[]>
  /** The subscriptions of these feeds, or of every feed; none for a feed and status that never had one. */
  current(feeds: readonly FeedName[] | undefined): Promise<readonly CurrentNumber[]>
  /** Since there is the database, whatever became of the feeds: it never falls. */
  ever(): Promise<readonly EverNumber[]>
  /** Whether something is added that is not folded yet. */
  hasUnfolded(): Promise<boolean>
}

/**
 * Numbers that are kept, not counted, without a person in them. Whatever changes a subscription's status, makes or erases
 * one adds that to the current numbers by itself, and so does an event (`numbersOf`) to those by day.
 */
export interface NumberStore extends NumberReader {
  /** Waits for no other change. */
  add(changes: readonly NumberChange[]): Promise<void>
  /** Adds up to `limit` of what was added to the numbers, the oldest first, each once; how many. */
  fold(limit: number): Promise<number>
  /** Forgets all numbers of a feed that has no subscriptions any more; what there ever was of all feeds stays. */
  forget(feed: FeedName): Promise<void>
}

/** How many there are of each status. */
export const sumsOf = (numbers: readonly CurrentNumber[]): Record<SubscriptionStatus, number> => {
  const sums = { pending: 0, confirmed: 0, ended: 0 }
  for (const { status, count } of numbers) sums[status] += count
  return sums
}

/** How many there are of a status, or of all of them. */
export const totalOf = (numbers: readonly CurrentNumber[], status: SubscriptionStatus | undefined): number => {
  const sums = sumsOf(numbers)
  return status === undefined ? sums.pending + sums.confirmed + sums.ended : sums[status]
}
