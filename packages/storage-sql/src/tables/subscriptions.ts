import {
  type AddressHash,
  type ConfirmedCount,
  type ConsentAction,
  type ConsentRecord,
  type ConsentStore,
  type FeedName,
  type KeptMailStore,
  type Page,
  type Recipient,
  type Subscription,
  type SubscriptionFilter,
  type SubscriptionId,
  type SubscriptionReader,
  type SubscriptionStatus,
  type SubscriptionStore,
  subscriptionTerms,
} from '@rollcall/core'
import {
  type Condition,
  countUpToFew,
  type Dialect,
  foundByTerm,
  ordered,
  type Query,
  type Search,
  sought,
  where,
} from './finding.ts'
import { all, find, type Method, type Methods, page, write } from './methods.ts'
import { columnsOf, countedTable, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

// One letter each: a change of status changes no row's length, so that it is written in place.
export const STATUS_CODE: Readonly<Record<SubscriptionStatus, string>> = { pending: 'p', confirmed: 'c', ended: 'e' }
const STATUS: Readonly<Record<string, SubscriptionStatus>> = { p: 'pending', c: 'confirmed', e: 'ended' }

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

type SubscriptionSearch = SubscriptionFilter & Search

/** Pages of subscriptions, each filter by an index that has its rows in the order of the list. */
export const subscriptionPage = <Row extends SubscriptionRow, Item>(
  dialect: Dialect,
  columns: string,
  toItem: (row: Row) => Item,
): Method<[SubscriptionSearch], Page<Item>> => {
  const queryOf = (search: SubscriptionSearch, most: number): Query => {
    const { feed, status, address, byTerm } = search
    if (byTerm) {
      const found = foundByTerm(dialect, 'subscription', search)
      const { text, values } = where([...found.conditions, ...narrowed(dialect, search)])
      const order = ordered(search, dialect === 'sqlite' ? 'seq' : 'place')
      return {
        text: `SELECT ${columns} FROM ${found.from} ${text} ${order} LIMIT +?`,
        values: [...found.values, ...values, most],
      }
    }
    if (feed !== undefined && address === undefined) return ofFeed[dialect](columns, { ...search, feed }, most)
    const { text, values } = where(narrowed(dialect, search))
    const order = ordered(
      search,
      ...(address === undefined ? (status === undefined ? [] : ['status']) : ['address']),
      'seq',
    )
    return { text: `SELECT ${columns} FROM subscription ${text} ${order} LIMIT +?`, values: [...values, most] }
  }
  return page(
    (search) => queryOf(search, 0).text,
    'seq',
    toItem,
    (search, most) => queryOf(search, most).values,
  )
}

/** How many rows a list of these has. */
export const COUNT_OF_SUBSCRIPTIONS = countUpToFew(({ feed, status, address }: SubscriptionSearch) => {
  const code = status && STATUS_CODE[status]
  if (address !== undefined) return ['subscription', ['address = ?', address]] as const
  // As ranges, which PostgreSQL looks for in the index, however common they are.
  const [from, to] = code === undefined ? ['', 'z'] : [code, code]
  if (feed === undefined) return ['subscription', ['status >= ? AND status <= ?', from, to]] as const
  return ['subscription', ['(feed, status) >= (?, ?) AND (feed, status) <= (?, ?)', feed, from, feed, to]] as const
})

const narrowed = (dialect: Dialect, search: SubscriptionSearch): Condition[] => {
  const { feed, status, address, byTerm } = search
  // Rows that are found otherwise are looked at: no other index is to be gone through.
  const plus = byTerm && dialect === 'sqlite' ? '+' : ''
  const conditions: Condition[] = []
  if (address !== undefined) conditions.push([`${plus}address = ?`, address])
  if (feed !== undefined) conditions.push([`${plus}feed = +?`, feed])
  if (status !== undefined) conditions.push([`${plus}status = +?`, STATUS_CODE[status]])
  return [...conditions, ...sought(dialect, search, byTerm ? '+seq' : 'seq')]
}

interface OfFeed extends SubscriptionSearch {
  readonly feed: FeedName
}

/** The statuses of a feed each come in the order of the list. */
const statusesOf = ({ status }: OfFeed) =>
  status === undefined ? (Object.keys(STATUS_CODE) as SubscriptionStatus[]) : [status]

const ofFeed = {
  // Merged as it goes, which ends at the limit.
  sqlite: (columns: string, search: OfFeed, most: number): Query => {
    const parts = statusesOf(search).map((status) => where(narrowed('sqlite', { ...search, status })))
    const order = parts.length === 1 ? ordered(search, 'feed', 'status', 'seq') : ordered(search, 'seq')
    const selects = parts.map(({ text }) => `SELECT ${columns} FROM subscription ${text}`)
    return {
      text: `${selects.join(' UNION ALL ')} ${order} LIMIT +?`,
      values: [...parts.flatMap(({ values }) => values), most],
    }
  },
  /**
   * As rows, and not as a feed and a status that are equal to something: of those the planner knows that they sort
   * nothing, so it takes the primary key, and reads all subscriptions to find that a feed has none of a status.
   */
  postgres: (columns: string, search: OfFeed, most: number): Query => {
    const { feed, after, downwards } = search
    const [beyond, within] = downwards ? ['<', '>='] : ['>', '<=']
    const parts = statusesOf(search).map((status) => {
      const code = STATUS_CODE[status]
      const [, ...others] = sought('postgres', search)
      return where([
        [`(feed, status, seq) ${beyond} (?, ?, ?)`, feed, code, after],
        [`(feed, status) ${within} (?, ?)`, feed, code],
        ...others,
      ])
    })
    const order = ordered(search, 'feed', 'status', 'seq')
    const selects = parts.map(({ text }) => `(SELECT * FROM subscription ${text} ${order} LIMIT ?)`)
    return {
      text: `SELECT ${columns} FROM (${selects.join(' UNION ALL ')}) AS subscription ${ordered(search, 'seq')} LIMIT ?`,
      values: [...parts.flatMap(({ values }) => [...values, most]), most],
    }
  },
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
export const LEDGER: Methods<Omit<ConsentStore, 'append'>> = {
  last: find(`${CONSENTS} DESC LIMIT 1`, (place) => [place], toConsentRecord),
  list: all(CONSENTS, (place) => [place], toConsentRecord),
  countRepetition: write(
    `UPDATE consent SET count = count + 1
      WHERE subscription = +? AND n = (SELECT max(n) FROM consent WHERE subscription = +?)`,
    (place) => [place, place],
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
