import type {
  ConfirmedCount,
  FeedName,
  Page,
  Recipient,
  Subscription,
  SubscriptionFilter,
  SubscriptionId,
  SubscriptionIdentity,
  SubscriptionReader,
  SubscriptionStatus,
  SubscriptionStore,
} from '@rollcall/core'
import { type Among, all, find, type Method, type Methods, page } from './methods.ts'
import { type Cell, columnsOf, countedTable, type RowOf, table, text, whole } from './table.ts'

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
  name: text(),
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

export type SubscriptionRow = RowOf<typeof SUBSCRIPTION>

export const SUBSCRIPTION_COLUMNS = columnsOf(SUBSCRIPTION).join(', ')
/** What is known of a subscription before it has a place; few have fields, and others are written without them. */
export const NEW_SUBSCRIPTION = columnsOf(SUBSCRIPTION, 'seq', 'fields')
export const WITH_FIELDS = columnsOf(SUBSCRIPTION, 'seq')

export const toSubscription = (row: SubscriptionRow): Subscription => {
  const status = statusOf(row.status)
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
    preferencesMail: row.preferences_mail ?? undefined,
    fields: row.fields === null ? undefined : JSON.parse(row.fields),
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
  preferences_mail: subscription.preferencesMail ?? null,
  fields: subscription.fields === undefined ? null : JSON.stringify(subscription.fields),
})

const SUBSCRIPTIONS = `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE`

export const FIND_SUBSCRIPTION = find(`${SUBSCRIPTIONS} id = ?`, (id: SubscriptionId) => [id], toSubscription)

const CONFIRMED_AFTER = (condition: string, order: string) =>
  `SELECT count(*) AS confirmed, max(seq) AS last FROM
    (SELECT seq FROM subscription WHERE ${condition} status = 'c' AND seq > +? ORDER BY ${order} LIMIT +?) AS stretch`
const EVERY_CONFIRMED = CONFIRMED_AFTER('', 'status, seq')
const CONFIRMED_OF_FEED = CONFIRMED_AFTER('feed = +? AND', 'feed, status, seq')

/** Of an index alone. */
export const COUNT_CONFIRMED: Method<[Parameters<SubscriptionReader['countConfirmed']>[0]], ConfirmedCount> = {
  gives: 'first',
  text: ({ feed }) => (feed === undefined ? EVERY_CONFIRMED : CONFIRMED_OF_FEED),
  values: ({ feed, after, limit }) => (feed === undefined ? [after, limit] : [feed, after, limit]),
  answer: ({ confirmed, last }: { confirmed: number; last: number | null }, [{ limit }]) => ({
    confirmed,
    last: confirmed < limit ? undefined : (last ?? undefined),
  }),
}
export const findManySubscriptions = (among: Among) =>
  all(`${SUBSCRIPTIONS} id ${among.numbers}`, (ids: readonly SubscriptionId[]) => [JSON.stringify(ids)], toSubscription)

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

export const EXPIRED_SUBSCRIPTIONS: Methods<Pick<SubscriptionStore, 'expired'>> = {
  expired: all(
    `${SUBSCRIPTIONS} status = 'p' AND expires_at <= ? ORDER BY expires_at, seq LIMIT +?`,
    (now, limit) => [now, limit],
    toSubscription,
  ),
}

/** Pages of subscriptions, each filter by an index that has its rows in the order of the list. */
export const subscriptionPage = <Row extends SubscriptionRow, Item>(
  columns: string,
  toItem: (row: Row) => Item,
  /** Merges the rows of each status, which come in order. */
  ofFeed: { readonly text: string; readonly values: (feed: FeedName, after: number, most: number) => Cell[] },
  /** Of a feed and a status; its values are the feed, the status, the position and the limit. */
  ofFeedWithStatus = `SELECT ${columns} FROM subscription WHERE feed = +? AND status = +? AND seq > +?
    ORDER BY feed, status, seq LIMIT +?`,
): Method<[SubscriptionFilter], Page<Item>> => {
  const select = (condition: string, order: string) =>
    `SELECT ${columns} FROM subscription WHERE ${condition} seq > +? ORDER BY ${order} LIMIT +?`
  const every = select('', 'seq')
  const withStatus = select('status = +? AND', 'status, seq')
  return page(
    ({ feed, status }) => {
      if (feed === undefined) return status === undefined ? every : withStatus
      return status === undefined ? ofFeed.text : ofFeedWithStatus
    },
    'seq',
    toItem,
    ({ feed, status, after }, most) =>
      feed !== undefined && status === undefined
        ? ofFeed.values(feed, after, most)
        : [feed, status && STATUS_CODE[status], after, most].filter((value) => value !== undefined),
  )
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
