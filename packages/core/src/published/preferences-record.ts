import { takesSignUps } from '../subscriptions/feed.ts'
import type { Preferences } from '../subscriptions/preferences.ts'
import type { Suppression } from '../subscriptions/suppression-store.ts'
import { subscriptionRecord } from './subscription-record.ts'
import { timestamp } from './timestamp.ts'

/** What the owner of an address may see and change, as programs see it. */
export const preferencesRecord = ({ own, subscriptions, suppression }: Preferences) => ({
  email: own.subscription.email,
  suppression: suppressionOrNull(suppression),
  subscriptions: subscriptions.map(({ subscription, feed }) => ({
    ...subscriptionRecord(subscription),
    title: feed.title,
    open: takesSignUps(feed),
  })),
})

/** Why and since when an address gets no sign-up mail; null where it does. */
export const suppressionOrNull = (suppression: Suppression | undefined) =>
  suppression === undefined ? null : { cause: suppression.cause, since: timestamp(suppression.since) }
