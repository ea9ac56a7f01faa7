import type { SubscriptionIdentity, SubscriptionReader, SubscriptionStore } from '@rollcall/core'
import { STATUS_CODE, SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from '../../rows/subscription-row.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'
import { DisplacedIds, displacedIds } from './displaced-ids.ts'
import { type PlacedRow, sqliteSubscriptionList } from './subscription-list.ts'
import type { Whereabouts } from './whereabouts.ts'

interface FoundRow {
  readonly id: number
  readonly row: PlacedRow | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly gaveWay?: string
}

/** Looks for where a subscription is, or would be. */
const finder = (connection: Connection, keptId: (fingerprint: string) => number | undefined) => {
  const byId = connection
    .prepare<[number], PlacedRow>(`SELECT ${SUBSCRIPTION_COLUMNS}, seq FROM subscription WHERE id = ?`)
    .raw()
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

export const sqliteSubscriptionStore = (writer: Writer, whereabouts: Whereabouts): Synchronous<SubscriptionStore> => {
  const { connection } = writer
  const displaced = new DisplacedIds(writer)
  const find = finder(connection, (fingerprint) => displaced.find(fingerprint))
  const insert = connection.prepare(
    `INSERT INTO subscription (${SUBSCRIPTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const updateInPlace = connection.prepare(
    `UPDATE subscription SET email = ?, address_key = ?, name = ?, locale = ?, episode = ?, created_at = ?,
      confirmed_at = ?, ended_at = ?, last_mail = ? WHERE seq = ?`,
  )
  // SQLite writes every index that a column named here is in, whether or not its value changes.
  const updateWithIndexes = connection.prepare(
    'UPDATE subscription SET feed = ?, status = ?, expires_at = ? WHERE seq = ?',
  )
  const erase = connection.prepare('DELETE FROM subscription WHERE id = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const expired = connection
    .prepare<[number, number], SubscriptionRow>(
      `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription
        WHERE status = 'p' AND expires_at <= ? ORDER BY expires_at, seq LIMIT +?`,
    )
    .raw()

  return {
    ...sqliteSubscriptionReader(connection),
    locate: (identity) => {
      const { id, row, gaveWay } = find.byIdentity(identity)
      whereabouts.note(id, row?.[13], row && [row[1], row[6], row[11]], gaveWay)
      return { id, subscription: row && toSubscription(row) }
    },
    put: (subscription) => {
      const { id, feed, email, addressKey, name, locale = null, status, episode, createdAt } = subscription
      const { confirmedAt = null, endedAt = null, expiresAt = null, lastMail = null } = subscription
      const place = whereabouts.of(id)
      const code = STATUS_CODE[status]
      if (place.seq === undefined) {
        const head = [id, feed, email, addressKey, name, locale, code, episode, createdAt] as const
        const { lastInsertRowid } = writer.write(insert, ...head, confirmedAt, endedAt, expiresAt, lastMail)
        place.seq = Number(lastInsertRowid)
        place.consents = 0
        if (place.displaced !== undefined) displaced.keep(place.displaced, id)
      } else {
        const [oldFeed, oldCode, oldExpiresAt] = place.indexed ?? []
        if (feed !== oldFeed || code !== oldCode || expiresAt !== oldExpiresAt)
          writer.write(updateWithIndexes, feed, code, expiresAt, place.seq)
        const head = [email, addressKey, name, locale, episode, createdAt] as const
        writer.write(updateInPlace, ...head, confirmedAt, endedAt, lastMail, place.seq)
      }
      place.indexed = [feed, code, expiresAt]
    },
    erase: (id) => {
      if (writer.write(erase, id).changes > 0) writer.write(noteErasure)
      whereabouts.forget(id)
    },
    expired: (now, limit) => expired.all(now, limit).map((row) => toSubscription(row)),
  }
}

const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: PlacedRow): boolean =>
  row[3] === addressKey && row[1] === feed
