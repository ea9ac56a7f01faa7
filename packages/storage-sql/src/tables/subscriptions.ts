import {
  type AddressHash,
  type FeedName,
  type Recipient,
  type Subscription,
  type SubscriptionId,
  type SubscriptionIdentity,
  type SubscriptionReader,
  type SubscriptionStatus,
  type SubscriptionStore,
  subscriptionTerms,
} from '@rollcall/core'
import { all, erasing, find, type Method, type Methods, page, write } from './methods.ts'
import { columnsOf, countedTable, type RowOf, table, text, whole } from './table.ts'

// One letter each: a change of status changes no row's length, so that it is written in place.
export const STATUS_CODE: Readonly<Record<SubscriptionStatus, string>> = { pending: 'p', confirmed: 'c', ended: 'e' }
const STATUS: Readonly<Record<string, SubscriptionStatus>> = { p: 'pending', c: 'confirmed', e: 'ended' }

export const statusOf = (code: string): SubscriptionStatus => {
  const status = STATUS[code]
  if (status === undefined) throw new TypeError(`No subscription has the status ${code}.`)
  return status
}

export const SUBSCRIPTION = countedTable('subscription', {
  seq: whole(),
  id: whole(),
  feed: text<FeedName>(),
  email: text(),
  address_key: text(),
  address: text<AddressHash>(),
  name: text(),
  terms: text(),
  locale: text<string | null>(),
  status: text(),
  episode: text(),
  created_at: whole(),
  confirmed_at: whole<number | null>(),
  ended_at: whole<number | null>(),
  expires_at: whole<number | null>(),
  last_mail: whole<number | null>(),
  preferences_mail: whole<number | null>(),
  fields: text<string | null>(),
})

/** Without what a search looks through. */
export type SubscriptionRow = Omit<RowOf<typeof SUBSCRIPTION>, 'terms'>

export const SUBSCRIPTION_COLUMNS = columnsOf(SUBSCRIPTION, 'terms').join(', ')
/** What is known of a subscription before it has a place. */
export const NEW_SUBSCRIPTION = columnsOf(SUBSCRIPTION, 'seq')

export const toSubscription = (row: SubscriptionRow): Subscription => {
  const status = statusOf(row.status)
  return {
    id: row.id,
    feed: row.feed,
    email: row.email,
    addressKey: row.address_key,
    address: row.address,
    name: row.name,
    locale: row.locale ?? undefined,
    status,
    episode: row.episode,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    lastMail: row.last_mail ?? undefined,
    preferencesMail: row.preferences_mail ?? undefined,
    fields: row.fields === null ? undefined : JSON.parse(row.fields),
  }
}

export const subscriptionRow = (subscription: Subscription): Omit<RowOf<typeof SUBSCRIPTION>, 'seq'> => ({
  id: subscription.id,
  feed: subscription.feed,
  email: subscription.email,
  address_key: subscription.addressKey,
  address: subscription.address,
  name: subscription.name,
  terms: JSON.stringify(subscriptionTerms(subscription)),
  locale: subscription.locale ?? null,
  status: STATUS_CODE[subscription.status],
  episode: subscription.episode,
  created_at: subscription.createdAt,
  confirmed_at: subscription.confirmedAt ?? null,
  ended_at: subscription.endedAt ?? null,
  expires_at: subscription.expiresAt ?? null,
  last_mail: subscription.lastMail ?? null,
  preferences_mail: subscription.preferencesMail ?? null,
  fields: subscription.fields === undefined ? null : JSON.stringify(subscription.fields),
})

const SUBSCRIPTIONS = `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE`

export const FIND_SUBSCRIPTION = find(`${SUBSCRIPTIONS} id = ?`, (id: SubscriptionId) => [id], toSubscription)

export const SUBSCRIPTIONS_OF_ADDRESS = all(
  `${SUBSCRIPTIONS} address = ? ORDER BY address, seq`,
  (address: AddressHash) => [address],
  toSubscription,
)

export const FIND_SUBSCRIPTIONS = all(
  `${SUBSCRIPTIONS} id IN @wholes`,
  (ids: readonly SubscriptionId[]) => [ids],
  toSubscription,
)

type RecipientRow = Pick<
  SubscriptionRow,
  'seq' | 'id' | 'email' | 'address_key' | 'name' | 'locale' | 'fields' | 'confirmed_at'
>

/** Half of the columns: of millions, the others are much garbage. */
export const RECIPIENTS: Methods<Pick<SubscriptionReader, 'recipients'>> = {
  recipients: page(
    `SELECT seq, id, email, address_key, name, locale, fields, confirmed_at
      FROM subscription WHERE feed = +? AND status = 'c' AND seq > +? ORDER BY feed, status, seq LIMIT +?`,
    'seq',
    ({ id, email, address_key, name, locale, fields, confirmed_at }: RecipientRow): Recipient => ({
      id,
      email,
      addressKey: address_key,
      name,
      locale: locale ?? undefined,
      fields: fields === null ? undefined : JSON.parse(fields),
      confirmedAt: confirmed_at ?? undefined,
    }),
    ({ feed, after }, most) => [feed, after, most],
  ),
}

export const SUBSCRIPTION_STORE: Methods<Pick<SubscriptionStore, 'erase' | 'expired'>> = {
  erase: erasing(write('DELETE FROM subscription WHERE id = ?', (id) => [id])),
  expired: all(
    `${SUBSCRIPTIONS} status = 'p' AND expires_at <= ? ORDER BY expires_at, seq LIMIT +?`,
    (now, limit) => [now, limit],
    toSubscription,
  ),
}

export const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: SubscriptionRow): boolean =>
  row.address_key === addressKey && row.feed === feed

/** Ids that were given to those of a set that were located before, by their fingerprints. */
export type Claimed = ReadonlyMap<number, string>

/** Whether another has the id, be it one that is about to be stored. */
export const isTaken = (
  id: number,
  row: SubscriptionRow | undefined,
  identity: SubscriptionIdentity,
  claimed: Claimed,
): boolean => {
  const { fingerprint } = identity
  return row === undefined ? (claimed.get(id) ?? fingerprint) !== fingerprint : !isOf(identity, row)
}

/** Ids that identities keep where they once had to give way to another. */
export const DISPLACED_ID = table('displaced_subscription_id', 1, { fingerprint: text(), id: whole() })

export const DISPLACED: Method<[], ReadonlyMap<string, SubscriptionId>> = {
  gives: 'all',
  text: 'SELECT fingerprint, id FROM displaced_subscription_id',
  values: () => [],
  answer: (rows: readonly RowOf<typeof DISPLACED_ID>[]) =>
    new Map(rows.map(({ fingerprint, id }) => [fingerprint, id])),
}
