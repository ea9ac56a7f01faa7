import type { FeedName, Subscription, SubscriptionStatus } from '@rollcall/core'

export const SUBSCRIPTION_COLUMNS =
  'id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail'

export type SubscriptionRow = [
  id: number,
  feed: string,
  email: string,
  addressKey: string,
  name: string,
  locale: string | null,
  status: string,
  episode: string,
  createdAt: number,
  confirmedAt: number | null,
  endedAt: number | null,
  expiresAt: number | null,
  lastMail: number | null,
]

// One letter each: a change of status changes no row's length, so that it is written in place.
export const STATUS_CODE: Readonly<Record<SubscriptionStatus, string>> = { pending: 'p', confirmed: 'c', ended: 'e' }
const STATUS: Readonly<Record<string, SubscriptionStatus>> = { p: 'pending', c: 'confirmed', e: 'ended' }

/** What follows the columns of a subscription is somebody else's. */
export const toSubscription = (row: readonly [...SubscriptionRow, ...unknown[]]): Subscription => {
  const status = STATUS[row[6]]
  if (status === undefined) throw new TypeError(`No subscription has the status ${row[6]}.`)
  return {
    id: row[0],
    feed: row[1] as FeedName,
    email: row[2],
    addressKey: row[3],
    name: row[4],
    locale: row[5] ?? undefined,
    status,
    episode: row[7],
    createdAt: row[8],
    confirmedAt: row[9] ?? undefined,
    endedAt: row[10] ?? undefined,
    expiresAt: row[11] ?? undefined,
    lastMail: row[12] ?? undefined,
  }
}
