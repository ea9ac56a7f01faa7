import type { SubscriptionIdentity, SubscriptionReader, SubscriptionStore } from '@rollcall/core'
import {
  NEW_SUBSCRIPTION,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  subscriptionRow,
  toSubscription,
} from '../../tables/subscriptions.ts'
import { valuesOf } from '../../tables/table.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { NewRows } from './new-rows.ts'
import { Reserve } from './reserve.ts'
import type { RowCache } from './row-cache.ts'
import { EVIDENCE, type EvidenceRow, postgresSubscriptionList, toEvidence } from './subscription-list.ts'

const FIND = rowStatement<SubscriptionRow>(`SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = $1`)
const FIND_EVIDENCE = rowStatement<EvidenceRow>(`SELECT ${EVIDENCE} FROM subscription WHERE id = $1`)
const SETTLED = statement('SELECT id FROM displaced_subscription_id WHERE fingerprint = $1')
const SETTLE = statement(
  'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
)
const SETTLED_AMONG = statement(
  'SELECT fingerprint, id FROM displaced_subscription_id WHERE fingerprint = ANY ($1::text[])',
)
const PLACES = statement("SELECT nextval('subscription_seq_seq') FROM generate_series(1, $1::integer)")
const UPDATE = statement(
  `UPDATE subscription SET (${NEW_SUBSCRIPTION.join(', ')}) = ROW (${placeholders(NEW_SUBSCRIPTION.length)})
    WHERE id = $${NEW_SUBSCRIPTION.indexOf('id') + 1}`,
)
const ERASE = statement('DELETE FROM subscription WHERE id = $1')
const EXPIRED = rowStatement<SubscriptionRow>(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription
    WHERE status = 'p' AND expires_at <= $1 ORDER BY expires_at, seq LIMIT $2 FOR UPDATE`,
)

interface Found {
  readonly id: number
  readonly row: SubscriptionRow | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly displaced?: string
}

const locate = async (
  identity: SubscriptionIdentity,
  byId: (id: number) => Promise<SubscriptionRow | undefined>,
  settledId: (fingerprint: string) => Promise<number | undefined>,
): Promise<Found> => {
  const id = identity.candidate(0)
  const row = await byId(id)
  if (row !== undefined && isOf(identity, row)) return { id, row }
  const settled = await settledId(identity.fingerprint)
  if (settled !== undefined) return { id: settled, row: await byId(settled) }
  if (row === undefined) return { id, row }
  for (let counter = 1; ; counter++) {
    const next = identity.candidate(counter)
    const there = await byId(next)
    if (there === undefined || isOf(identity, there)) return { id: next, row: there, displaced: identity.fingerprint }
  }
}

export const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: SubscriptionRow): boolean =>
  row.address_key === addressKey && row.feed === feed

export const postgresSubscriptionReader = (ask: Ask): SubscriptionReader => {
  const byId = async (id: number) => (await ask(FIND, id))[0]
  const settledId = async (fingerprint: string) => (await ask<[id: number]>(SETTLED, fingerprint))[0]?.[0]
  return {
    ...postgresSubscriptionList(ask),
    find: async (id) => {
      const row = await byId(id)
      return row && toSubscription(row)
    },
    findEvidence: async (id) => {
      const [row] = await ask(FIND_EVIDENCE, id)
      return row && toEvidence(row)
    },
    locate: async (identity) => {
      const { id, row } = await locate(identity, byId, settledId)
      return { id, subscription: row && toSubscription(row) }
    },
  }
}

export const postgresSubscriptionStore = (unit: Transaction, cache: RowCache, rows: NewRows): SubscriptionStore => {
  const reader = postgresSubscriptionReader(unit.ask)
  const places = new Reserve(unit, PLACES)
  const settled = new Loader<string, number | undefined>(async (fingerprints) => {
    const byFingerprint = new Map(await unit.ask<[fingerprint: string, id: number]>(SETTLED_AMONG, fingerprints))
    return (fingerprint) => byFingerprint.get(fingerprint)
  })
  const byId = (id: number) => cache.look(id)
  const keepOut = ({ feed }: { feed?: Parameters<typeof keyOf.feed>[0] | undefined }) => {
    // No sign-up to the feed runs meanwhile.
    if (feed !== undefined) unit.lock(keyOf.feed(feed))
  }
  return {
    find: async (id) => {
      const row = await byId(id)
      return row && toSubscription(row)
    },
    findEvidence: async (id) => {
      await byId(id)
      return await reader.findEvidence(id)
    },
    list: async (filter) => {
      keepOut(filter)
      return await reader.list(filter)
    },
    listEvidence: async (filter) => {
      keepOut(filter)
      return await reader.listEvidence(filter)
    },
    locate: async (identity) => {
      const { id, row, displaced } = await locate(identity, byId, (fingerprint) => settled.find(fingerprint))
      if (displaced !== undefined) cache.displace(id, displaced)
      return { id, subscription: row && toSubscription(row) }
    },
    put: async (subscription) => {
      const row = subscriptionRow(subscription)
      const place = await cache.of(row.id)
      if (place.seq !== undefined) return unit.write(UPDATE, ...valuesOf(NEW_SUBSCRIPTION, row))
      place.seq = await places.take()
      place.consents = 0
      rows.add('subscriptions', { seq: place.seq, ...row })
      if (place.displaced !== undefined) unit.write(SETTLE, place.displaced, row.id)
    },
    erase: async (id) => {
      unit.write(ERASE, id)
      cache.forget(id)
    },
    expired: async (now, limit) => (await unit.ask(EXPIRED, now, limit)).map(toSubscription),
  }
}
