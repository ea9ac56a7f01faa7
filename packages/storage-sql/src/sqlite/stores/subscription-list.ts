import type { Evidence, Page, Subscription, SubscriptionFilter } from '@rollcall/core'
import { CONSENT_COLUMNS, type ConsentRow, toConsentRecord } from '../../rows/consent-row.ts'
import { STATUS_CODE, SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from '../../rows/subscription-row.ts'
import { atOnce } from '../at-once.ts'
import type { Connection } from '../connection.ts'

export type PlacedRow = [...SubscriptionRow, seq: number]

/** Stretches of subscriptions, each filter by an index that has its rows in the order of the list. */
export interface SubscriptionList {
  page(filter: SubscriptionFilter): Page<Subscription>
  evidence(filter: SubscriptionFilter): Page<Evidence>
  /** What the row found by `find` proves, found at the same moment. */
  evidenceOf(find: () => PlacedRow | undefined): Evidence | undefined
}

export const sqliteSubscriptionList = (connection: Connection): SubscriptionList => {
  const rowsAfter = rowsOf(connection)
  const together = atOnce(connection)
  const consents = connection
    .prepare<[number], ConsentRow>(`SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = +? ORDER BY n`)
    .raw()
  const toEvidence = (row: PlacedRow): Evidence => ({
    subscription: toSubscription(row),
    consents: consents.all(row[13]).map(toConsentRecord),
  })

  const page = <Item>(filter: SubscriptionFilter, toItem: (row: PlacedRow) => Item): Page<Item> => {
    const rows = rowsAfter({ ...filter, limit: filter.limit + 1 })
    const shown = rows.length > filter.limit ? rows.slice(0, filter.limit) : rows
    return { items: shown.map(toItem), next: rows.length > filter.limit ? shown.at(-1)?.[13] : undefined }
  }
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

const rowsOf = (connection: Connection): ((filter: SubscriptionFilter) => PlacedRow[]) => {
  const select = (condition: string): string =>
    `SELECT ${SUBSCRIPTION_COLUMNS}, seq FROM subscription WHERE ${condition} seq > +?`
  const prepare = <Parameters extends unknown[]>(query: string) =>
    connection.prepare<Parameters, PlacedRow>(`${query} ORDER BY seq LIMIT +?`).raw()
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
