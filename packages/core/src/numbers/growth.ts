import type { Counted } from './counted.ts'
import type { DailyNumber } from './number-store.ts'

export type Counts = Readonly<Partial<Record<Counted, number>>>

/**
 * What takes a reader from a feed. Who refused, or let the time run out, never was one; who is confirmed when a caller ends
 * it, a complaint does or it is erased is not told apart from who was pending.
 */
export const LEFT = [
  'ended:unsubscribed',
  'ended:moved',
  'ended:complained',
  'ended:by-caller',
  'ended:erased',
] as const satisfies readonly Counted[]

export const JOINED = ['confirmed', 'imported:confirmed'] as const satisfies readonly Counted[]

const sumOf = (counts: Counts, whats: readonly Counted[]): number =>
  whats.reduce((sum, what) => sum + (counts[what] ?? 0), 0)

export const joined = (counts: Counts): number => sumOf(counts, JOINED)

export const left = (counts: Counts): number => sumOf(counts, LEFT)

export const netGrowth = (counts: Counts): number => joined(counts) - left(counts)

export const countsFrom = (daily: readonly DailyNumber[], from: number): Counts => {
  const counts: Partial<Record<Counted, number>> = {}
  for (const { day, what, count } of daily) if (day >= from) counts[what] = (counts[what] ?? 0) + count
  return counts
}
