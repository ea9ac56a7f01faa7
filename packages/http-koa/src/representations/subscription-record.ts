import type { Subscription } from '@rollcall/core'
import { timestamp } from './timestamp.ts'

export const subscriptionRecord = (subscription: Subscription) => ({
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
