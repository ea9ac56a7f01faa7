import type { SubscriptionIdentity, SubscriptionReader, SubscriptionStore } from '@rollcall/core'
import { STATUS_CODE, SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from '../../rows/subscription-row.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import {
  EVIDENCE,
  type EvidenceRow,
  type PlacedRow,
  postgresSubscriptionList,
  toEvidence,
} from './subscription-list.ts'
import type { Whereabouts } from './whereabouts.ts'

export const BY_ID = `SELECT ${SUBSCRIPTION_COLUMNS}, seq FROM subscription WHERE id = $1`
const FIND = statement(BY_ID)
const FIND_EVIDENCE = statement(`SELECT ${EVIDENCE} FROM subscription WHERE id = $1`)
const SETTLED = statement('SELECT id FROM displaced_subscription_id WHERE fingerprint = $1')
const SETTLE = statement(
  'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
)
const INSERT = statement(
  `INSERT INTO subscription (${SUBSCRIPTION_COLUMNS}) VALUES (${placeholders(13)}) RETURNING seq`,
)
const UPDATE = statement(`UPDATE subscription SET (${SUBSCRIPTION_COLUMNS}) = ROW (${placeholders(13)}) WHERE id = $1`)
const ERASE = statement('DELETE FROM subscription WHERE id = $1')
const EXPIRED = statement(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription
    WHERE status = 'p' AND expires_at <= $1 ORDER BY expires_at, seq LIMIT $2 FOR UPDATE`,
)

interface Found {
  readonly id: number
  readonly row: PlacedRow | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly displaced?: string
}

const locate = async (
  identity: SubscriptionIdentity,
  byId: (id: number) => Promise<PlacedRow | undefined>,
  ask: Ask,
): Promise<Found> => {
  const id = identity.candidate(0)
  const row = await byId(id)
  if (row !== undefined && isOf(identity, row)) return { id, row }
  const [settled] = await ask<[id: number]>(SETTLED, identity.fingerprint)
  if (settled !== undefined) return { id: settled[0], row: await byId(settled[0]) }
  if (row === undefined) return { id, row }
  for (let counter = 1; ; counter++) {
    const next = identity.candidate(counter)
    const there = await byId(next)
    if (there === undefined || isOf(identity, there)) return { id: next, row: there, displaced: identity.fingerprint }
  }
}

export const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: PlacedRow): boolean =>
  row[3] === addressKey && row[1] === feed

export const postgresSubscriptionReader = (ask: Ask): SubscriptionReader => {
  const byId = async (id: number) => (await ask<PlacedRow>(FIND, id))[0]
  return {
    ...postgresSubscriptionList(ask),
    find: async (id) => {
      const row = await byId(id)
      return row && toSubscription(row)
    },
    findEvidence: async (id) => {
      const [row] = await ask<EvidenceRow>(FIND_EVIDENCE, id)
      return row && toEvidence(row)
    },
    locate: async (identity) => {
      const { id, row } = await locate(identity, byId, ask)
      return { id, subscription: row && toSubscription(row) }
    },
  }
}

export const postgresSubscriptionStore = (unit: Transaction, whereabouts: Whereabouts): SubscriptionStore => {
  const reader = postgresSubscriptionReader(unit.ask)
  const byId = (id: number) => whereabouts.look(id)
  const keepOut = ({ feed }: { feed?: Parameters<typeof keyOf.feed>[0] | undefined }) => {
    // Nobody signs up to it meanwhile.
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
      const { id, row, displaced } = await locate(identity, byId, unit.ask)
      if (displaced !== undefined) whereabouts.displace(id, displaced)
      return { id, subscription: row && toSubscription(row) }
    },
    put: async (subscription) => {
      const { id, feed, email, addressKey, name, locale = null, status, episode, createdAt } = subscription
      const { confirmedAt = null, endedAt = null, expiresAt = null, lastMail = null } = subscription
      const place = await whereabouts.of(id)
      const head = [id, feed, email, addressKey, name, locale, STATUS_CODE[status], episode, createdAt] as const
      const values = [...head, confirmedAt, endedAt, expiresAt, lastMail]
      if (place.seq !== undefined) return unit.write(UPDATE, ...values)
      const [inserted] = await unit.ask<[seq: number]>(INSERT, ...values)
      place.seq = inserted?.[0]
      if (place.displaced !== undefined) unit.write(SETTLE, place.displaced, id)
    },
    erase: async (id) => {
      unit.write(ERASE, id)
      whereabouts.forget(id)
    },
    expired: async (now, limit) =>
      (await unit.ask<SubscriptionRow>(EXPIRED, now, limit)).map((row) => toSubscription(row)),
  }
}
