import type { ConsentRecord, Evidence, Page, Subscription, SubscriptionFilter } from '@rollcall/core'
import { CONSENT_COLUMNS, type ConsentRow, toConsentRecord } from '../../rows/consent-row.ts'
import { STATUS_CODE, SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from '../../rows/subscription-row.ts'
import { type Ask, type Statement, statement } from '../statement.ts'

export type PlacedRow = [...SubscriptionRow, seq: number]
export type EvidenceRow = [...PlacedRow, consents: ConsentRow[] | null]

// One statement sees one moment: nothing that is committed meanwhile comes between a subscription and its ledger.
const CONSENTS = `(SELECT json_agg(json_build_array(${CONSENT_COLUMNS}) ORDER BY n) FROM consent WHERE subscription = seq)`

export const EVIDENCE = `${SUBSCRIPTION_COLUMNS}, seq, ${CONSENTS}`
const PLACED = `${SUBSCRIPTION_COLUMNS}, seq`

const CODES = Object.values(STATUS_CODE)

interface Selection {
  readonly all: Statement
  readonly withStatus: Statement
  readonly ofFeedWithStatus: Statement
  readonly ofFeed: Statement
}

// Each by an index that has its rows in the order of the list; of a feed, each status comes in order, and they are merged.
const selectionOf = (columns: string): Selection => ({
  all: statement(`SELECT ${columns} FROM subscription WHERE seq > $1 ORDER BY seq LIMIT $2`),
  withStatus: statement(
    `SELECT ${columns} FROM subscription WHERE status = $3 AND seq > $1 ORDER BY status, seq LIMIT $2`,
  ),
  ofFeedWithStatus: statement(
    `SELECT ${columns} FROM subscription WHERE feed = $3 AND status = $4 AND seq > $1 ORDER BY feed, status, seq LIMIT $2`,
  ),
  ofFeed: statement(
    `SELECT ${columns} FROM (${CODES.map(
      (code) => `(SELECT * FROM subscription WHERE feed = $3 AND status = '${code}' AND seq > $1
        ORDER BY feed, status, seq LIMIT $2)`,
    ).join(' UNION ALL ')}) AS subscription ORDER BY seq LIMIT $2`,
  ),
})

const SUBSCRIPTIONS = selectionOf(PLACED)
const WITH_EVIDENCE = selectionOf(EVIDENCE)

export const consentsOf = (row: EvidenceRow): ConsentRecord[] => (row[14] ?? []).map(toConsentRecord)

export const toEvidence = (row: EvidenceRow): Evidence => ({
  subscription: toSubscription(row),
  consents: consentsOf(row),
})

export const postgresSubscriptionList = (ask: Ask) => ({
  list: (filter: SubscriptionFilter) => page<PlacedRow, Subscription>(ask, SUBSCRIPTIONS, filter, toSubscription),
  listEvidence: (filter: SubscriptionFilter) => page<EvidenceRow, Evidence>(ask, WITH_EVIDENCE, filter, toEvidence),
})

const page = async <Found extends PlacedRow | EvidenceRow, Item>(
  ask: Ask,
  selection: Selection,
  filter: SubscriptionFilter,
  toItem: (row: Found) => Item,
): Promise<Page<Item>> => {
  const rows = await rowsOf<Found>(ask, selection, { ...filter, limit: filter.limit + 1 })
  const shown = rows.length > filter.limit ? rows.slice(0, filter.limit) : rows
  return { items: shown.map(toItem), next: rows.length > filter.limit ? shown.at(-1)?.[13] : undefined }
}

const rowsOf = <Found extends PlacedRow | EvidenceRow>(
  ask: Ask,
  selection: Selection,
  { feed, status, after, limit }: SubscriptionFilter,
): Promise<Found[]> => {
  const code = status && STATUS_CODE[status]
  if (feed !== undefined && code !== undefined) return ask<Found>(selection.ofFeedWithStatus, after, limit, feed, code)
  if (feed !== undefined) return ask<Found>(selection.ofFeed, after, limit, feed)
  if (code !== undefined) return ask<Found>(selection.withStatus, after, limit, code)
  return ask<Found>(selection.all, after, limit)
}
