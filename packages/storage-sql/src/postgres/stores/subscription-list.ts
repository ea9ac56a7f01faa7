import type { Evidence, Page, Subscription, SubscriptionFilter } from '@rollcall/core'
import {
  CONSENT_COLUMNS,
  CONSENT_VALUES,
  type ConsentRow,
  STATUS_CODE,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  toConsentRecord,
  toSubscription,
} from '../../tables/subscriptions.ts'
import { pageOf, rowFrom } from '../../tables/table.ts'
import { type Ask, type RowStatement, rowStatement } from '../statement.ts'

export interface EvidenceRow extends SubscriptionRow {
  /** Of each record its values. */
  readonly consents: (readonly unknown[])[] | null
}

// One statement sees one moment: nothing that is committed meanwhile comes between a subscription and its ledger.
const CONSENTS = `(SELECT json_agg(json_build_array(${CONSENT_COLUMNS}) ORDER BY n) FROM consent WHERE subscription = seq)`

export const EVIDENCE = `${SUBSCRIPTION_COLUMNS}, ${CONSENTS} AS consents`

const CODES = Object.values(STATUS_CODE)

interface Selection<Found extends SubscriptionRow> {
  readonly all: RowStatement<Found>
  readonly withStatus: RowStatement<Found>
  readonly ofFeedWithStatus: RowStatement<Found>
  readonly ofFeed: RowStatement<Found>
}

// Each by an index that has its rows in the order of the list; of a feed, each status comes in order, and they are merged.
const selectionOf = <Found extends SubscriptionRow>(columns: string): Selection<Found> => ({
  all: rowStatement(`SELECT ${columns} FROM subscription WHERE seq > $1 ORDER BY seq LIMIT $2`),
  withStatus: rowStatement(
    `SELECT ${columns} FROM subscription WHERE status = $3 AND seq > $1 ORDER BY status, seq LIMIT $2`,
  ),
  ofFeedWithStatus: rowStatement(
    `SELECT ${columns} FROM subscription WHERE feed = $3 AND status = $4 AND seq > $1 ORDER BY feed, status, seq LIMIT $2`,
  ),
  ofFeed: rowStatement(
    `SELECT ${columns} FROM (${CODES.map(
      (code) => `(SELECT * FROM subscription WHERE feed = $3 AND status = '${code}' AND seq > $1
        ORDER BY feed, status, seq LIMIT $2)`,
    ).join(' UNION ALL ')}) AS subscription ORDER BY seq LIMIT $2`,
  ),
})

const SUBSCRIPTIONS = selectionOf<SubscriptionRow>(SUBSCRIPTION_COLUMNS)
const WITH_EVIDENCE = selectionOf<EvidenceRow>(EVIDENCE)

export const toEvidence = (row: EvidenceRow): Evidence => ({
  subscription: toSubscription(row),
  consents: (row.consents ?? []).map((values) => toConsentRecord(rowFrom<ConsentRow>(CONSENT_VALUES, values))),
})

export const postgresSubscriptionList = (ask: Ask) => ({
  list: (filter: SubscriptionFilter) => page<SubscriptionRow, Subscription>(ask, SUBSCRIPTIONS, filter, toSubscription),
  listEvidence: (filter: SubscriptionFilter) => page<EvidenceRow, Evidence>(ask, WITH_EVIDENCE, filter, toEvidence),
})

const page = async <Found extends SubscriptionRow, Item>(
  ask: Ask,
  selection: Selection<Found>,
  filter: SubscriptionFilter,
  toItem: (row: Found) => Item,
): Promise<Page<Item>> => {
  const rows = await rowsOf(ask, selection, { ...filter, limit: filter.limit + 1 })
  return pageOf(rows, { limit: filter.limit, by: ({ seq }) => seq }, toItem)
}

const rowsOf = <Found extends SubscriptionRow>(
  ask: Ask,
  selection: Selection<Found>,
  { feed, status, after, limit }: SubscriptionFilter,
): Promise<Found[]> => {
  const code = status && STATUS_CODE[status]
  if (feed !== undefined && code !== undefined) return ask(selection.ofFeedWithStatus, after, limit, feed, code)
  if (feed !== undefined) return ask(selection.ofFeed, after, limit, feed)
  if (code !== undefined) return ask(selection.withStatus, after, limit, code)
  return ask(selection.all, after, limit)
}
