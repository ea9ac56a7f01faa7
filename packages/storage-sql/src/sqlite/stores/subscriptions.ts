import type { SubscriptionIdentity, SubscriptionReader, SubscriptionStore } from '@rollcall/core'
import {
  NEW_SUBSCRIPTION,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  subscriptionRow,
  toSubscription,
} from '../../tables/subscriptions.ts'
import { valuesOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'
import { DisplacedIds, displacedIds } from './displaced-ids.ts'
import type { RowCache } from './row-cache.ts'
import { sqliteSubscriptionList } from './subscription-list.ts'

// `id` never changes.
const IN_NO_INDEX = NEW_SUBSCRIPTION.filter((column) => !['id', 'feed', 'status', 'expires_at'].includes(column))

interface FoundRow {
  readonly id: number
  readonly row: SubscriptionRow | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly gaveWay?: string
}

/** Looks for where a subscription is, or would be. */
const finder = (connection: Connection, keptId: (fingerprint: string) => number | undefined) => {
  const byId = connection.prepare<[number], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ?`,
  )
  const giveWay = (identity: SubscriptionIdentity): FoundRow => {
    for (let counter = 1; ; counter++) {
      const id = identity.candidate(counter)
      const row = byId.get(id)
      if (row === undefined || isOf(identity, row)) return { id, row, gaveWay: identity.fingerprint }
    }
  }
  return {
    byId: (id: number) => byId.get(id),
    // Nearly every identity has its first candidate: that one is looked at before the memory of those that gave way.
    byIdentity: (identity: SubscriptionIdentity): FoundRow => {
      const id = identity.candidate(0)
      const row = byId.get(id)
      if (row !== undefined && isOf(identity, row)) return { id, row }
      const own = keptId(identity.fingerprint)
      if (own !== undefined) return { id: own, row: byId.get(own) }
      return row === undefined ? { id, row } : giveWay(identity)
    },
  }
}

export const sqliteSubscriptionReader = (connection: Connection): Synchronous<SubscriptionReader> => {
  const find = finder(connection, displacedIds(connection))
  const { page, evidence, evidenceOf } = sqliteSubscriptionList(connection)
  return {
    find: (id) => {
      const row = find.byId(id)
      return row && toSubscription(row)
    },
    findEvidence: (id) => evidenceOf(() => find.byId(id)),
    locate: (identity) => {
      const { id, row } = find.byIdentity(identity)
      return { id, subscription: row && toSubscription(row) }
    },
    list: page,
    listEvidence: evidence,
  }
}

export const sqliteSubscriptionStore = (writer: Writer, cache: RowCache): Synchronous<SubscriptionStore> => {
  const { connection } = writer
  const displaced = new DisplacedIds(writer)
  const find = finder(connection, (fingerprint) => displaced.find(fingerprint))
  const insert = connection.prepare(
    `INSERT INTO subscription (${NEW_SUBSCRIPTION.join(', ')}) VALUES (${NEW_SUBSCRIPTION.map(() => '?').join(', ')})`,
  )
  const updateInPlace = connection.prepare(
    `UPDATE subscription SET ${IN_NO_INDEX.map((column) => `${column} = ?`).join(', ')} WHERE seq = ?`,
  )
  // SQLite writes every index that a column named here is in, whether or not its value changes.
  const updateWithIndexes = connection.prepare(
    'UPDATE subscription SET feed = ?, status = ?, expires_at = ? WHERE seq = ?',
  )
  const erase = connection.prepare('DELETE FROM subscription WHERE id = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const expired = connection.prepare<[number, number], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription
      WHERE status = 'p' AND expires_at <= ? ORDER BY expires_at, seq LIMIT +?`,
  )

  return {
    ...sqliteSubscriptionReader(connection),
    locate: (identity) => {
      const { id, row, gaveWay } = find.byIdentity(identity)
      cache.note(id, row, gaveWay)
      return { id, subscription: row && toSubscription(row) }
    },
    put: (subscription) => {
      const row = subscriptionRow(subscription)
      const { id, feed, status, expires_at } = row
      const place = cache.of(id)
      if (place.seq === undefined) {
        const { lastInsertRowid } = writer.write(insert, ...valuesOf(NEW_SUBSCRIPTION, row))
        place.seq = Number(lastInsertRowid)
        place.consents = 0
        if (place.displaced !== undefined) displaced.keep(place.displaced, id)
      } else {
        const { indexed } = place
        if (feed !== indexed?.feed || status !== indexed.status || expires_at !== indexed.expires_at)
          writer.write(updateWithIndexes, feed, status, expires_at, place.seq)
        writer.write(updateInPlace, ...valuesOf(IN_NO_INDEX, row), place.seq)
      }
      place.indexed = row
    },
    erase: (id) => {
      if (writer.write(erase, id).changes > 0) writer.write(noteErasure)
      cache.forget(id)
    },
    expired: (now, limit) => expired.all(now, limit).map((row) => toSubscription(row)),
  }
}

const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: SubscriptionRow): boolean =>
  row.address_key === addressKey && row.feed === feed
