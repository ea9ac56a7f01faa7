import type { FeedName } from '../feeds/feed.ts'
import { DAY, type Instant } from '../instant.ts'

export const END_CAUSES = ['unsubscribed', 'refused', 'moved', 'complained', 'by-caller', 'erased', 'expired'] as const

export type EndCause = (typeof END_CAUSES)[number]

/** Which rule kept a form without effect, or without a mail. */
export const COUNTED_RULES = ['honeypot', 'blocked-domain', 'suppressed', 'mail-cap', 'unknown-address'] as const

export type CountedRule = (typeof COUNTED_RULES)[number]

/** What is counted by day and feed; imports are apart. */
export const COUNTED = [
  'requested',
  'mailed',
  'confirmed',
  ...END_CAUSES.map((cause) => `ended:${cause}` as const),
  'bounced',
  'complained',
  ...COUNTED_RULES.map((rule) => `turned-away:${rule}` as const),
  'imported:pending',
  'imported:confirmed',
  'imported:ended',
  'imported:undeliverable',
] as const

export type Counted = (typeof COUNTED)[number]

/** So many more, on a day, of a feed; undefined if it is of no feed, or of none that is known. */
export interface NumberChange {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly feed: FeedName | undefined
  readonly what: Counted
  readonly count: number
}

/** Days since 1970, UTC. */
export const dayOf = (at: Instant): number => Math.floor(at / DAY)

/** One more. */
export const counted = (what: Counted, feed: FeedName | undefined, at: Instant): NumberChange => ({
  day: dayOf(at),
  feed,
  what,
  count: 1,
})

/** Why something happened to a subscription. `ended-before`: what is erased had come to its end already. */
export type EventCause = EndCause | 'imported' | 'ended-before'
