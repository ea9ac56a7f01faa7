import { COUNTED_RULES, END_CAUSES } from '../numbers/counted.ts'
import { dateOf } from '../numbers/periods.ts'
import type { PeriodNumbers, Stats } from '../numbers/show-stats-use-case.ts'

export const publishedStats = ({ feed, from, to, by, current, periods }: Stats) => ({
  feed: feed ?? null,
  from: dateOf(from),
  to: dateOf(to),
  by,
  subscriptions: current,
  periods: periods.map(periodRecord),
})

const periodRecord = ({ start, counts }: PeriodNumbers) => ({
  start: dateOf(start),
  requested: counts.requested,
  mailed: counts.mailed,
  confirmed: counts.confirmed,
  ended: byName(END_CAUSES, (cause) => counts[`ended:${cause}`]),
  bounced: counts.bounced,
  complained: counts.complained,
  turned_away: byName(COUNTED_RULES, (rule) => counts[`turned-away:${rule}`]),
  imported: byName(IMPORTED, (kind) => counts[`imported:${kind}`]),
})

const IMPORTED = ['pending', 'confirmed', 'ended', 'undeliverable'] as const

type Snake<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}_${Snake<Tail>}` : Name

/** Under the names that JSON has: with underscores. */
const byName = <Name extends string>(names: readonly Name[], numberOf: (name: Name) => number) =>
  Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), numberOf(name)])) as Record<Snake<Name>, number>
