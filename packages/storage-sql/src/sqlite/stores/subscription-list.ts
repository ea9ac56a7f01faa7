import type { Evidence, Page, Subscription, SubscriptionFilter } from '@rollcall/core'
import {
  CONSENT_COLUMNS,
  type ConsentRow,
  STATUS_CODE,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  toConsentRecord,
  toSubscription,
} from '../../tables/subscriptions.ts'
import { pageOf } from '../../tables/table.ts'
import { type Connection, inSnapshot } from '../connection.ts'

/** Stretches of subscriptions, each filter by an index that has its rows in the order of the list. */
export interface SubscriptionList {
  page(filter: SubscriptionFilter): Page<Subscription>
  evidence(filter: SubscriptionFilter): Page<Evidence>
  /** What the row found by `find` proves, found at the same moment. */
  evidenceOf(find: () => SubscriptionRow | undefined): Evidence | undefined
}

export const sqliteSubscriptionList = (connection: Connection): SubscriptionList => {
  const rowsAfter = rowsOf(connection)
  const together = inSnapshot(connection)
  const consents = connection.prepare<[number], ConsentRow>(
    `SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = +? ORDER BY n`,
  )
  const toEvidence = (row: SubscriptionRow): Evidence => ({
    subscription: toSubscription(row),
    consents: consents.all(row.seq).map(toConsentRecord),
  })

  const by = ({ seq }: SubscriptionRow) => seq
  const page = <Item>(filter: SubscriptionFilter, toItem: (row: SubscriptionRow) => Item): Page<Item> =>
    pageOf(rowsAfter({ ...filter, limit: filter.limit + 1 }), { limit: filter.limit, by }, toItem)
  return {
    page: (filter) => page(filter, toSubscription),
    evidence: (filter) => together(() => page(filter, toEvidence)),
    evidenceOf: (find) =>
      together(() => {
        const row = find()
        return row && toEvidence(row)
      }),
  }
}

const rowsOf = (connection: Connection): ((filter: SubscriptionFilter) => SubscriptionRow[]) => {
  const select = (condition: string): string =>
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE ${condition} seq > +?`
  const prepare = <Parameters extends unknown[]>(query: string) =>
    connection.prepare<Parameters, SubscriptionRow>(`${query} ORDER BY seq LIMIT +?`)
  const all = prepare<[number, number]>(select(''))
  const withStatus = prepare<[string, number, number]>(select('status = +? AND'))
  const ofFeedWithStatus = prepare<[string, string, number, number]>(select('feed = +? AND status = +? AND'))
  // Each part comes in order, so that SQLite merges them as it goes, and stops at the limit.
  const ofFeed = prepare<[string, number, string, number, string, number, number]>(
    Object.values(STATUS_CODE)
      .map((code) => select(`feed = +? AND status = '${code}' AND`))
      .join(' UNION ALL '),
  )
  return ({ feed, status, after, limit }) => {
    if (feed !== undefined && status !== undefined) return ofFeedWithStatus.all(feed, STATUS_CODE[status], after, limit)
    if (feed !== undefined) return ofFeed.all(feed, after, feed, after, feed, after, limit)
    if (status !== undefined) return withStatus.all(STATUS_CODE[status], after, limit)
    return all.all(after, limit)
  }
}
