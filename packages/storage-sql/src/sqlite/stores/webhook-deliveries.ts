import type { Clock, WebhookDeliveryReader, WebhookDeliveryStore, WebhookName } from '@rollcall/core'
import {
  ANY_PARKED,
  DELIVERY_READ,
  DELIVERY_READER,
  DELIVERY_STORE,
  type DeliveryRow,
  toDelivery,
} from '../../tables/events.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { FREE_NOW, leaser } from './outbox.ts'
import { sqliteReader, sqliteStore } from './run-methods.ts'

const NEVER = Number.MAX_SAFE_INTEGER
// Since when there has been something to do for each target that may be sent anything.
const DUE = `SELECT name, since FROM (SELECT w.name AS name, min(
      coalesce((SELECT min(not_before) FROM webhook_delivery WHERE webhook = w.name AND ${FREE_NOW}), ${NEVER}),
      coalesce((SELECT at FROM event WHERE position > w.cursor ORDER BY position LIMIT 1), ${NEVER})) AS since
    FROM webhook AS w WHERE disabled_since IS NULL AND paused_until <= ?)
  WHERE since < ${NEVER} ORDER BY since LIMIT +?`

const dueOf = (connection: Connection, clock: Clock): Synchronous<Pick<WebhookDeliveryReader, 'due' | 'health'>> => {
  const due = connection.prepare<[number, number, number, number], { name: WebhookName; since: number }>(DUE)
  const anyParked = connection.prepare<[], number>(`SELECT ${ANY_PARKED}`).pluck()
  const dues = (limit: number) => {
    const now = clock.now()
    return due.all(now, now, now, limit)
  }
  return {
    due: (limit) => dues(limit).map(({ name }) => name),
    health: () => ({ parked: anyParked.get() === 1, dueSince: dues(1)[0]?.since }),
  }
}

export const sqliteWebhookDeliveryReader = (
  connection: Connection,
  clock: Clock,
): Synchronous<WebhookDeliveryReader> => ({
  ...sqliteReader(DELIVERY_READER, connection, clock),
  ...dueOf(connection, clock),
})

export const sqliteWebhookDeliveryStore = (writer: Writer, clock: Clock): Synchronous<WebhookDeliveryStore> => {
  const { connection } = writer
  const add = connection.prepare(
    `INSERT INTO webhook_delivery (webhook, position, type, subject, at, created_at, not_before)
      SELECT name, ?, ?, ?, ?, ?, ? FROM webhook WHERE name = ?
      ON CONFLICT (webhook, position) DO UPDATE SET not_before = excluded.not_before, attempts = 0, parked_at = NULL
        WHERE parked_at IS NOT NULL`,
  )
  const free = connection.prepare<[string, number, number, string, number], DeliveryRow>(
    `SELECT ${DELIVERY_READ.join(', ')} FROM webhook_delivery AS one WHERE webhook = ? AND ${FREE_NOW} AND owner IS NOT ?
      AND NOT EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook = one.webhook
        AND earlier.subject = one.subject AND earlier.position < one.position AND earlier.parked_at IS NULL)
      ORDER BY not_before, position LIMIT +?`,
  )
  const lease = leaser(writer, 'webhook_delivery')
  return {
    ...sqliteStore(DELIVERY_STORE, writer, clock),
    ...dueOf(connection, clock),
    add: (name, events) => {
      const now = clock.now()
      for (const { position, type, subject, at } of events)
        writer.write(add, position, type, subject, at, now, now, name)
    },
    claim: (claim) => {
      const now = clock.now()
      return lease(free.all(claim.webhook, now, now, claim.owner, claim.limit).map(toDelivery), claim, now)
    },
  }
}
