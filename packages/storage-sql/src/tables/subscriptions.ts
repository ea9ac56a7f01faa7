import type {
  ConfirmedCount,
  ConsentAction,
  ConsentRecord,
  ConsentStore,
  FeedName,
  KeptMailStore,
  Page,
  Recipient,
  Subscription,
  SubscriptionFilter,
  SubscriptionId,
  SubscriptionReader,
  SubscriptionStatus,
  SubscriptionStore,
} from '@rollcall/core'
import { all, byKey, find, type Method, type Methods, page, write } from './methods.ts'
import { type Cell, columnsOf, countedTable, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

// One letter each: a change of status changes no row's length, so that it is written in place.
export const STATUS_CODE: Readonly<Record<SubscriptionStatus, string>> = { pending: 'p', confirmed: 'c', ended: 'e' }
const STATUS: Readonly<Record<string, SubscriptionStatus>> = { p: 'pending', c: 'confirmed', e: 'ended' }

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
/** `elements`: the rows of a JSON array of numbers, which is given as `?`. */
export const findManySubscriptions = (elements: string) =>
  all(`${SUBSCRIPTIONS} id IN (${elements})`, (ids: readonly SubscriptionId[]) => [JSON.stringify(ids)], toSubscription)

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

const RECORD = mapping(CONSENT, 'subscription', 'n')

export const CONSENT_VALUES = RECORD.columns
export const CONSENT_COLUMNS = CONSENT_VALUES.join(', ')
export const { toRow: consentRow, toValues: consentValues } = RECORD

// By hand, as `toSubscription`: exports and imports do this for millions of rows.
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

const CONSENTS = `SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = +? ORDER BY n`

/** What is asked of a ledger, by the place of its subscription. */
export const LEDGER: Methods<Omit<ConsentStore, 'append' | 'lastOf'>> = {
  last: find(`${CONSENTS} DESC LIMIT 1`, (place) => [place], toConsentRecord),
  list: all(CONSENTS, (place) => [place], toConsentRecord),
  countRepetition: write(
    `UPDATE consent SET count = count + 1
      WHERE subscription = +? AND n = (SELECT max(n) FROM consent WHERE subscription = +?)`,
    (place) => [place, place],
  ),
}

/** By the ids of the subscriptions. */
export const LAST_CONSENTS: Methods<Pick<ConsentStore, 'lastOf'>> = {
  lastOf: byKey(
    `SELECT subscription.id, ${CONSENT_COLUMNS} FROM subscription JOIN consent ON consent.subscription = subscription.seq
      AND consent.n = (SELECT max(n) FROM consent AS any_of WHERE any_of.subscription = subscription.seq)
      WHERE subscription.id IN @wholes`,
    (ids) => [ids],
    (row: ConsentRow & { readonly id: number }) => row.id,
    toConsentRecord,
  ),
}

export const KEPT_MAIL = table('kept_mail', 2, { subscription: whole(), message_id: text() })

/** By the place of the subscription. */
export const KEPT_MAILS: Methods<KeptMailStore> = {
  add: write(`${insertInto('kept_mail', columnsOf(KEPT_MAIL))} ON CONFLICT DO NOTHING`, (place, id) => [place, id]),
  list: all(
    'SELECT message_id FROM kept_mail WHERE subscription = +? ORDER BY message_id',
    (place) => [place],
    (row: { message_id: string }) => row.message_id,
  ),
}
