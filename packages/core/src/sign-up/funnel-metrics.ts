import type { FeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import { type CountedRule, counted } from '../numbers/counted.ts'
import type { NumberStore } from '../numbers/number-store.ts'

/** Which rule turned a form away, or kept it without effect. */
export type TurnedAwayBy =
  | 'honeypot'
  | 'blocked-domain'
  | 'suppressed'
  | 'mail-cap'
  | 'feed-gone'
  | 'challenge'
  | 'too-fast'
  | 'rate-limit'
  | 'network-limit'
  | 'invalid-input'

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
