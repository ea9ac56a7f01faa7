import type { Counted } from './counted.ts'
import type { DailyNumber } from './number-store.ts'

export type Counts = Readonly<Partial<Record<Counted, number>>>

/**
 * What takes a reader from a feed. Who refused, or let the time run out, never was one; who is confirmed when a caller ends
 * it or it is erased is not told apart from who was pending.
 */
const LEFT = ['unsubscribed', 'moved', 'complained', 'by-caller', 'erased'] as const

export const joined = (counts: Counts): number => (counts.confirmed ?? 0) + (counts['imported:confirmed'] ?? 0)

export const left = (counts: Counts): number => LEFT.reduce((sum, cause) => sum + (counts[`ended:${cause}`] ?? 0), 0)

export const netGrowth = (counts: Counts): number => joined(counts) - left(counts)

/** All that there was from a day on. */
export const countsFrom = (daily: readonly DailyNumber[], from: number): Counts => {
  const counts: Partial<Record<Counted, number>> = {}
  for (const { day, what, count } of daily) if (day >= from) counts[what] = (counts[what] ?? 0) + count
  return counts
}
