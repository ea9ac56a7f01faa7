import type { Caller } from '../access/caller.ts'
import type { FeedName } from '../feeds/feed.ts'
import { dayOf } from '../numbers/counted.ts'
import { type Counts, countsFrom } from '../numbers/growth.ts'
import { type CurrentNumber, type NetNumber, sumsOf } from '../numbers/number-store.ts'
import type { SubscriptionStatus } from '../subscriptions/subscription.ts'
import { UseCase } from '../use-case.ts'

/** For how many days back growth is shown. */
export const GROWTH_DAYS = [7, 30, 90] as const
const LONGEST = 90
/** Who has more feeds looks at the others one by one. */
const MOST_FEEDS = 10

export interface Grown {
  readonly current: Readonly<Record<SubscriptionStatus, number>>
  /** How many readers more there are than so many days ago, in the order of `GROWTH_DAYS`. */
  readonly growth: readonly number[]
  /** Readers at the end of each week, the last of which ends today. */
  readonly weeks: readonly number[]
}

export interface GrownFeed extends Grown {
  readonly feed: FeedName
}

/** What one looks at first. */
export interface Overview extends Grown {
  /** The largest first. */
  readonly feeds: readonly GrownFeed[]
  /** How many feeds there are with subscriptions besides. */
  readonly others: number
  /** All that there was in the last 30 days, of all feeds. */
  readonly counts: Counts
  /** The first of those 30 days, and each with what there was on it: days since 1970, UTC. */
  readonly days: readonly { readonly day: number; readonly counts: Counts }[]
}

/** The kept numbers of the start page: nothing is counted for it. */
export class ShowOverviewUseCase extends UseCase<'access' | 'clock', 'numbers'> {
  static readonly permission = 'stats:read'
  static readonly action = 'stats.read'

  async execute(_: object, caller: Caller): Promise<Overview> {
    await this.ports.access.require(caller, ShowOverviewUseCase)
    const { numbers } = this.ports.readers
    const today = dayOf(this.ports.clock.now())
    const range = { from: today - LONGEST + 1, to: today }
    const all = await numbers.current(undefined)
    const byFeed = [...Map.groupBy(all, ({ feed }) => feed)].sort(
      ([a, of], [b, than]) => sumsOf(than).confirmed - sumsOf(of).confirmed || (a < b ? -1 : 1),
    )
    const shown = byFeed.slice(0, MOST_FEEDS)
    const nets = Map.groupBy(await numbers.net({ feeds: shown.map(([feed]) => feed), ...range }), ({ feed }) => feed)
    const daily = await numbers.daily({ feed: undefined, from: today - 29, to: today })
    const days = Array.from({ length: 30 }, (_, n) => today - 29 + n)
    const onDay = Map.groupBy(daily, ({ day }) => day)
    return {
      ...grownOf(all, await numbers.net({ feeds: undefined, ...range }), today),
      feeds: shown.map(([feed, current]) => ({ feed, ...grownOf(current, nets.get(feed) ?? [], today) })),
      others: byFeed.length - shown.length,
      counts: countsFrom(daily, today - 29),
      days: days.map((day) => ({ day, counts: countsFrom(onDay.get(day) ?? [], day) })),
    }
  }
}

const WEEKS = 13

const grownOf = (numbers: readonly CurrentNumber[], nets: readonly NetNumber[], today: number): Grown => {
  const current = sumsOf(numbers)
  const since = (days: number) => nets.reduce((sum, { day, net }) => (day > today - days ? sum + net : sum), 0)
  const weeks = Array.from({ length: WEEKS }, (_, n) => current.confirmed - since(7 * (WEEKS - 1 - n)))
  return { current, growth: GROWTH_DAYS.map(since), weeks }
}
