import type {
  AddressHash,
  ConsentAction,
  ConsentRecord,
  FeedName,
  Subscription,
  SubscriptionStatus,
  SuppressionCause,
  SuppressionRecord,
} from '@rollcall/core'
import { columnsOf, counted, type RowOf, table, text, whole } from './table.ts'

// One letter each: a change of status changes no row's length, so that it is written in place.
export const STATUS_CODE: Readonly<Record<SubscriptionStatus, string>> = { pending: 'p', confirmed: 'c', ended: 'e' }
const STATUS: Readonly<Record<string, SubscriptionStatus>> = { p: 'pending', c: 'confirmed', e: 'ended' }

export const SUBSCRIPTION = counted(
  table('subscription', 1, {
    seq: whole(),
    id: whole(),
    feed: text<FeedName>(),
    email: text(),
    address_key: text(),
    name: text(),
    locale: text<string | null>(),
    status: text(),
    episode: text(),
    created_at: whole(),
    confirmed_at: whole<number | null>(),
    ended_at: whole<number | null>(),
    expires_at: whole<number | null>(),
    last_mail: whole<number | null>(),
  }),
)

export type SubscriptionRow = RowOf<typeof SUBSCRIPTION>

export const SUBSCRIPTION_COLUMNS = columnsOf(SUBSCRIPTION).join(', ')
/** What is known of a subscription before it has a place. */
export const NEW_SUBSCRIPTION = columnsOf(SUBSCRIPTION, 'seq')

export const toSubscription = (row: SubscriptionRow): Subscription => {
  const status = STATUS[row.status]
  if (status === undefined) throw new TypeError(`No subscription has the status ${row.status}.`)
  return {
    id: row.id,
    feed: row.feed,
    email: row.email,
    addressKey: row.address_key,
    name: row.name,
    locale: row.locale ?? undefined,
    status,
    episode: row.episode,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    lastMail: row.last_mail ?? undefined,
  }
}

export const subscriptionRow = (subscription: Subscription): Omit<SubscriptionRow, 'seq'> => ({
  id: subscription.id,
  feed: subscription.feed,
  email: subscription.email,
  address_key: subscription.addressKey,
  name: subscription.name,
  locale: subscription.locale ?? null,
  status: STATUS_CODE[subscription.status],
  episode: subscription.episode,
  created_at: subscription.createdAt,
  confirmed_at: subscription.confirmedAt ?? null,
  ended_at: subscription.endedAt ?? null,
  expires_at: subscription.expiresAt ?? null,
  last_mail: subscription.lastMail ?? null,
})

/** Ids that identities keep where they once had to give way to another. */
export const DISPLACED_ID = table('displaced_subscription_id', 1, { fingerprint: text(), id: whole() })

export const CONSENT = table('consent', 2, {
  subscription: whole(),
  n: whole(),
  at: whole(),
  deed: text<ConsentAction>(),
  via: text(),
  client_address: text<string | null>(),
  user_agent: text<string | null>(),
  wording: text(),
  language: text<string | null>(),
  count: whole(),
})

/** Without the key: a record is read as a part of its ledger. */
export type ConsentRow = Omit<RowOf<typeof CONSENT>, 'subscription' | 'n'>

export const CONSENT_VALUES = columnsOf(CONSENT, 'subscription', 'n')
export const CONSENT_COLUMNS = CONSENT_VALUES.join(', ')

export const toConsentRecord = (row: ConsentRow): ConsentRecord => ({
  at: row.at,
  deed: row.deed,
  via: row.via,
  clientAddress: row.client_address ?? undefined,
  userAgent: row.user_agent ?? undefined,
  wording: row.wording,
  language: row.language ?? undefined,
  count: row.count,
})

export const consentRow = (record: ConsentRecord): ConsentRow => ({
  at: record.at,
  deed: record.deed,
  via: record.via,
  client_address: record.clientAddress ?? null,
  user_agent: record.userAgent ?? null,
  wording: record.wording,
  language: record.language ?? null,
  count: record.count,
})

export const KEPT_MAIL = table('kept_mail', 2, { subscription: whole(), message_id: text() })

export const SUPPRESSION = counted(
  table('suppression', 1, {
    seq: whole(),
    address: text<AddressHash>(),
    cause: text<SuppressionCause>(),
    since: whole(),
  }),
)

export type SuppressionRow = RowOf<typeof SUPPRESSION>

export const SUPPRESSION_COLUMNS = columnsOf(SUPPRESSION).join(', ')

export const toSuppressionRecord = ({ address, cause, since }: SuppressionRow): SuppressionRecord => ({
  address,
  cause,
  since,
})

export const SPENT_CHALLENGE = table('spent_challenge', 1, { id: text(), expires_at: whole() })

export const SIGN_UP_COUNT = table('sign_up_count', 1, { outcome: text(), count: whole() })
