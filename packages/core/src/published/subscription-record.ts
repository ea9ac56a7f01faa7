import type { ConsentRecord } from '../subscriptions/consent.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { timestamp } from './timestamp.ts'

/** What of a subscription is seen outside. */
export type PublishedSubscription = Omit<Subscription, 'addressKey' | 'episode' | 'expiresAt' | 'lastMail'>

/** A subscription as everybody outside sees it: HTTP, command line, exports and events. */
export const subscriptionRecord = (subscription: PublishedSubscription) => ({
  name: subscription.name,
  email: subscription.email,
  id: subscription.id,
  feed: subscription.feed,
  status: subscription.status,
  locale: subscription.locale ?? null,
  created_at: timestamp(subscription.createdAt),
  confirmed_at: timestamp(subscription.confirmedAt),
  ended_at: timestamp(subscription.endedAt),
})

/** An entry of the consent ledger as everybody outside sees it. */
export const consentEntry = (consent: ConsentRecord) => ({
  at: timestamp(consent.at),
  deed: consent.deed,
  via: consent.via,
  wording: consent.wording,
  language: consent.language ?? null,
  client_address: consent.clientAddress ?? null,
  user_agent: consent.userAgent ?? null,
  count: consent.count,
})
