import type { FeedName, Page, SubscriptionFilter, SubscriptionStatus } from '@rollcall/core'
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
import { type Method, page } from './methods.ts'
import { STATUS_CODE, type SubscriptionRow } from './subscriptions.ts'

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
    const { feed, after, until, downwards } = search
    const [beyond, within] = downwards ? ['<', '>='] : ['>', '<=']
    const parts = statusesOf(search).map((status) => {
      const code = STATUS_CODE[status]
      const [, ...others] = sought('postgres', search)
      return where([
        [`(feed, status, seq) ${beyond} (?, ?, ?)`, feed, code, after],
        until === undefined
          ? [`(feed, status) ${within} (?, ?)`, feed, code]
          : [`(feed, status, seq) ${within} (?, ?, ?)`, feed, code, until],
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
