import type { SubscriptionIdentity, SubscriptionReader, SubscriptionStore } from '@rollcall/core'
import { STATUS_CODE, SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from '../../rows/subscription-row.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'
import type { Whereabouts } from './whereabouts.ts'

type PlacedRow = [...SubscriptionRow, seq: number]

export const sqliteSubscriptionReader = (connection: Connection): Synchronous<SubscriptionReader> => {
  const byId = connection
    .prepare<[number], SubscriptionRow>(`SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ?`)
    .raw()
  return {
    find: (id) => {
      const row = byId.get(id)
      return row && toSubscription(row)
    },
  }
}

export const sqliteSubscriptionStore = (writer: Writer, whereabouts: Whereabouts): Synchronous<SubscriptionStore> => {
  const { connection } = writer
  const byId = connection
    .prepare<[number], PlacedRow>(`SELECT ${SUBSCRIPTION_COLUMNS}, seq FROM subscription WHERE id = ?`)
    .raw()
  const settled = connection
    .prepare<[string], number>('SELECT id FROM displaced_subscription_id WHERE fingerprint = ?')
    .pluck()
  const settle = connection.prepare(
    'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const insert = connection.prepare(
    `INSERT INTO subscription (${SUBSCRIPTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = connection.prepare(
    `UPDATE subscription SET feed = ?, email = ?, address_key = ?, name = ?, locale = ?, status = ?, episode = ?,
      created_at = ?, confirmed_at = ?, ended_at = ?, expires_at = ?, last_mail = ? WHERE seq = ?`,
  )
  const erase = connection.prepare('DELETE FROM subscription WHERE id = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const expired = connection
    .prepare<[number, number], SubscriptionRow>(
      `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription
        WHERE status = 'p' AND expires_at <= ? ORDER BY expires_at, seq LIMIT +?`,
    )
    .raw()

  const located = (id: number, row: PlacedRow | undefined, displaced?: string) => {
    whereabouts.note(id, row?.[13], displaced)
    return { id, subscription: row && toSubscription(row) }
  }
  // Nearly every identity has its first candidate, so that one is looked at before the memory of those that gave way.
  const giveWay = (identity: SubscriptionIdentity) => {
    for (let counter = 1; ; counter++) {
      const id = identity.candidate(counter)
      const row = byId.get(id)
      if (row === undefined || isOf(identity, row)) return located(id, row, identity.fingerprint)
    }
  }

  return {
    ...sqliteSubscriptionReader(connection),
    locate: (identity) => {
      const first = identity.candidate(0)
      const row = byId.get(first)
      if (row !== undefined && isOf(identity, row)) return located(first, row)
      const own = settled.get(identity.fingerprint)
      if (own !== undefined) return located(own, byId.get(own))
      return row === undefined ? located(first, undefined) : giveWay(identity)
    },
    put: (subscription) => {
      const { id, feed, email, addressKey, name, locale, status, episode, createdAt } = subscription
      const { confirmedAt = null, endedAt = null, expiresAt = null, lastMail = null } = subscription
      const place = whereabouts.of(id)
      const head = [feed, email, addressKey, name, locale ?? null, STATUS_CODE[status], episode, createdAt] as const
      if (place.seq !== undefined) {
        writer.write(update, ...head, confirmedAt, endedAt, expiresAt, lastMail, place.seq)
        return
      }
      const { lastInsertRowid } = writer.write(insert, id, ...head, confirmedAt, endedAt, expiresAt, lastMail)
      place.seq = Number(lastInsertRowid)
      place.consents = 0
      if (place.displaced !== undefined) writer.write(settle, place.displaced, id)
    },
    erase: (id) => {
      if (writer.write(erase, id).changes > 0) writer.write(noteErasure)
      whereabouts.forget()
    },
    expired: (now, limit) => expired.all(now, limit).map((row) => toSubscription(row)),
  }
}

const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: PlacedRow): boolean =>
  row[3] === addressKey && row[1] === feed
