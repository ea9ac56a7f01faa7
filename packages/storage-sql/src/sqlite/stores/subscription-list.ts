import type { Evidence, Page, Subscription, SubscriptionFilter, SubscriptionStatus } from '@rollcall/core'
import { CONSENT_COLUMNS, type ConsentRow, toConsentRecord } from '../../rows/consent-row.ts'
import { STATUS_CODE, SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from '../../rows/subscription-row.ts'
import type { Connection } from '../connection.ts'

export type PlacedRow = [...SubscriptionRow, seq: number]

const EVERY_STATUS: readonly SubscriptionStatus[] = ['pending', 'confirmed', 'ended']

/** Stretches of subscriptions, by filters that an index knows. */
export interface SubscriptionList {
  page(filter: SubscriptionFilter): Page<Subscription>
  evidence(filter: SubscriptionFilter): Page<Evidence>
  evidenceOf(row: PlacedRow): Evidence
}

export const sqliteSubscriptionList = (connection: Connection): SubscriptionList => {
  const all = connection
    .prepare<[number, number], number>('SELECT seq FROM subscription WHERE seq > ? ORDER BY seq LIMIT +?')
    .pluck()
  const ofGroup = connection
    .prepare<[string, string, number, number], number>(
      'SELECT seq FROM subscription WHERE feed = ? AND status = ? AND seq > ? ORDER BY seq LIMIT +?',
    )
    .pluck()
  const feeds = connection.prepare<[], string>('SELECT name FROM feed').pluck()
  const bySeq = connection
    .prepare<[number], PlacedRow>(`SELECT ${SUBSCRIPTION_COLUMNS}, seq FROM subscription WHERE seq = ?`)
    .raw()
  const consents = connection
    .prepare<[number], ConsentRow>(`SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = ? ORDER BY n`)
    .raw()

  // The index gives each feed and status in order; only to merge them is left.
  const places = ({ feed, status, after, limit }: SubscriptionFilter): number[] => {
    if (feed === undefined && status === undefined) return all.all(after, limit)
    const names = feed === undefined ? feeds.all() : [feed]
    const statuses = status === undefined ? EVERY_STATUS : [status]
    const groups = names.flatMap((name) => statuses.map((one) => [name, STATUS_CODE[one]] as const))
    const found = groups.flatMap(([name, code]) => ofGroup.all(name, code, after, limit))
    return groups.length === 1 ? found : found.sort((a, b) => a - b).slice(0, limit)
  }
  const rows = (filter: SubscriptionFilter): { rows: PlacedRow[]; next: number | undefined } => {
    const found = places({ ...filter, limit: filter.limit + 1 })
    const shown = found.slice(0, filter.limit)
    const next = found.length > filter.limit ? shown.at(-1) : undefined
    return { rows: shown.map((seq) => bySeq.get(seq)).filter((row) => row !== undefined), next }
  }
  const evidenceOf = (row: PlacedRow): Evidence => ({
    subscription: toSubscription(row),
    consents: consents.all(row[13]).map(toConsentRecord),
  })

  return {
    page: (filter) => {
      const found = rows(filter)
      return { items: found.rows.map(toSubscription), next: found.next }
    },
    evidence: (filter) => {
      const found = rows(filter)
      return { items: found.rows.map(evidenceOf), next: found.next }
    },
    evidenceOf,
  }
}
