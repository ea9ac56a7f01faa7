import type { FeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import { type CountedRule, counted } from '../numbers/counted.ts'
import type { NumberStore } from '../numbers/number-store.ts'

/** The rules that turn a form away, or keep it without effect. */
export const TURNED_AWAY_BY = [
  'honeypot',
  'blocked-domain',
  'suppressed',
  'mail-cap',
  'feed-gone',
  'challenge',
  'too-fast',
  'rate-limit',
  'network-limit',
  'invalid-input',
] as const

export type TurnedAwayBy = (typeof TURNED_AWAY_BY)[number]

/** What this process turns away, for the operator. Most of it reaches no storage; what does is among the kept numbers, too. */
export interface FunnelMetrics {
  turnedAway(rule: TurnedAwayBy): void
}

export const NO_METRICS: FunnelMetrics = { turnedAway: () => undefined }

/** Counts a form that a rule kept without effect, or without a mail, within a unit of work. */
export const countTurnedAway = (
  { numbers }: { readonly numbers: Pick<NumberStore, 'add'> },
  rule: CountedRule,
  feed: FeedName | undefined,
  at: Instant,
): Promise<void> => numbers.add([counted(`turned-away:${rule}`, feed, at)])
