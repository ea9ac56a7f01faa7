import {
  type Counted,
  type CurrentNumber,
  type DailyNumber,
  type FeedName,
  type NumberChange,
  type NumberStore,
  netGrowth,
  type Subscription,
} from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

/** One fewer or more of the subscriptions of a feed. */
interface CurrentChange extends CurrentNumber {
  readonly day: undefined
}

type Daily = DailyNumber & { readonly feed: FeedName | undefined }

const isDaily = (change: Daily | CurrentChange): change is Daily => change.day !== undefined

/** The store, with what others note in it: a subscription that takes the place of another, or of none. */
export const memoryNumbers = (journal: Journal) => {
  const changes = new Table<number, NumberChange | CurrentChange>(journal)
  const daily = new Table<string, Daily>(journal)
  const current = new Table<string, CurrentNumber>(journal)
  const ever = new Table<Counted, number>(journal)
  let lastId = 0

  const foldOne = (change: NumberChange | CurrentChange): void => {
    if (isDaily(change)) {
      const key = `${change.feed} ${change.day} ${change.what}`
      daily.set(key, { ...change, count: (daily.get(key)?.count ?? 0) + change.count })
      ever.set(change.what, (ever.get(change.what) ?? 0) + change.count)
    } else {
      const { feed, status } = change
      const key = `${feed} ${status}`
      current.set(key, { feed, status, count: (current.get(key)?.count ?? 0) + change.count })
    }
  }

  const numbers: NumberStore = {
    daily: async ({ feed, from, to }) => {
      const found = daily.rows().filter((one) => one.day >= from && one.day <= to && (feed ?? one.feed) === one.feed)
      const groups = Map.groupBy(found, ({ day, what }) => `${day} ${what}`)
      return [...groups.values()].flatMap((rows) => {
        const [first] = rows
        return first ? { day: first.day, what: first.what, count: rows.reduce((sum, { count }) => sum + count, 0) } : []
      })
    },
    net: async ({ feeds, from, to }) =>
      daily.rows().flatMap(({ feed, day, what, count }) => {
        if (day < from || day > to || (feeds && !feeds.some((each) => each === feed))) return []
        return { feed: feeds && feed, day, net: netGrowth({ [what]: count }) }
      }),
    current: async (feeds) => current.rows().filter(({ feed }) => feeds?.includes(feed) ?? true),
    ever: async () => ever.entries().map(([what, count]) => ({ what, count })),
    hasUnfolded: async () => changes.rows().length > 0,
    add: async (added) => {
      for (const change of added) changes.set(++lastId, change)
    },
    fold: async (limit) => {
      const folded = changes.entries().slice(0, limit)
      for (const [id, change] of folded) {
        foldOne(change)
        changes.delete(id)
      }
      return folded.length
    },
    forget: async (name) => {
      await numbers.fold(Number.POSITIVE_INFINITY)
      daily.prune(({ feed }) => feed === name)
      current.prune(({ feed }) => feed === name)
    },
  }

  const replaced = (before: Subscription | undefined, after: Subscription | undefined): void => {
    for (const [one, count] of [
      [before, -1],
      [after, 1],
    ] as const)
      if (one && before?.status !== after?.status)
        changes.set(++lastId, { day: undefined, feed: one.feed, status: one.status, count })
  }
  return { numbers, replaced }
}
