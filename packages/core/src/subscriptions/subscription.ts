import type { Instant } from '../instant.ts'
import type { OutboxId } from '../outbox/outbox-entry.ts'
import type { FeedName } from './feed.ts'
import type { SubscriptionId } from './subscription-id.ts'

export type SubscriptionStatus = 'pending' | 'confirmed' | 'ended'

/** Ties one e-mail address to one feed. */
export interface Subscription {
  readonly id: SubscriptionId
  readonly feed: FeedName
  /** As submitted with the form that began this life of the subscription. */
  readonly email: string
  readonly addressKey: string
  readonly name: string
  readonly locale: string | undefined
  readonly status: SubscriptionStatus
  /** Random; drawn again when it becomes pending and when it ends. Links of another episode are superseded. */
  readonly episode: string
  readonly createdAt: Instant
  readonly confirmedAt: Instant | undefined
  readonly endedAt: Instant | undefined
  /** While pending: when its links expire, and it is removed with all its data. */
  readonly expiresAt: Instant | undefined
  /** The last mail that was queued; long gone from the outbox if it was sent. */
  readonly lastMail: OutboxId | undefined
}

export const confirmed = (subscription: Subscription, now: Instant): Subscription => ({
  ...subscription,
  status: 'confirmed',
  confirmedAt: now,
  endedAt: undefined,
  expiresAt: undefined,
})

export const ended = (subscription: Subscription, now: Instant, episode: string): Subscription => ({
  ...subscription,
  status: 'ended',
  episode,
  endedAt: now,
  expiresAt: undefined,
})

/** A pending one whose links have expired counts as missing, even before it is swept. */
export const isExpired = ({ status, expiresAt }: Subscription, now: Instant): boolean =>
  status === 'pending' && expiresAt !== undefined && expiresAt <= now
