import type { Caller } from '../access/caller.ts'
import { type FeedName, parseKnownFeedName, requireFeed } from '../feeds/feed.ts'
import { readAll } from '../read-all.ts'
import type { SubscriptionStatus } from '../subscriptions/subscription.ts'
import { parseOneOf } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { COUNTED, type Counted, dayOf } from './counted.ts'
import { type DailyNumber, sumsOf } from './number-store.ts'
import { type DayRange, PERIODS, type Period, parseDay, periodsOf, rangeOf } from './periods.ts'

export interface ShowStatsCommand {
  readonly feed?: string | undefined
  /** The first and the last day, such as 2026-11-28, UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly by?: string | undefined
}

export interface PeriodNumbers {
  /** Its first day of those that were asked for: days since 1970, UTC. */
  readonly start: number
  readonly counts: Readonly<Record<Counted, number>>
}

export interface Stats extends DayRange {
  /** Undefined if they are of all feeds. */
  readonly feed: FeedName | undefined
  readonly by: Period
  readonly current: Readonly<Record<SubscriptionStatus, number>>
  readonly periods: readonly PeriodNumbers[]
}

/** The numbers of a feed, or of all: they are kept, so that nothing is counted for it. */
export class ShowStatsUseCase extends UseCase<'access' | 'clock', 'feeds' | 'numbers'> {
  static readonly permission = 'stats:read'
  static readonly action = 'stats.read'

  /** @throws {InvalidInput} there is no such feed, day or period, or the range is too long */
  async execute(command: ShowStatsCommand, caller: Caller): Promise<Stats> {
    await this.ports.access.require(caller, ShowStatsUseCase)
    const { feed, from, to, by } = readAll({
      feed: () => (command.feed === undefined ? undefined : parseKnownFeedName(command.feed)),
      from: () => parseDay(command.from, 'from'),
      to: () => parseDay(command.to, 'to'),
      by: () => parseOneOf('by', command.by ?? 'day', PERIODS),
    })
    const range = rangeOf(from, to, by, dayOf(this.ports.clock.now()))
    const { feeds, numbers } = this.ports.readers
    await requireFeed(feeds, feed)
    const current = await numbers.current(feed === undefined ? undefined : [feed])
    const daily = await numbers.daily({ feed, ...range })
    return { feed, by, ...range, current: sumsOf(current), periods: inPeriods(daily, range, by) }
  }
}

/** Every period of the range, also those in which there was nothing. */
export const inPeriods = (daily: readonly DailyNumber[], range: DayRange, by: Period): PeriodNumbers[] => {
  const periods = periodsOf(range, by).map((start) => ({ start, counts: noCounts() }))
  const inOrder = daily.toSorted((a, b) => a.day - b.day)
  let next = 0
  for (const { day, what, count } of inOrder) {
    while ((periods[next + 1]?.start ?? Number.POSITIVE_INFINITY) <= day) next++
    const period = periods[next]
    if (period !== undefined) period.counts[what] += count
  }
  return periods
}

const noCounts = () => Object.fromEntries(COUNTED.map((what) => [what, 0])) as Record<Counted, number>
