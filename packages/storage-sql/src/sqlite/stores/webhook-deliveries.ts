import type { Clock, WebhookDeliveryReader, WebhookDeliveryStore, WebhookName } from '@rollcall/core'
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  PROGRESS_COLUMNS,
  type ProgressRow,
  toDelivery,
  toProgress,
} from '../../tables/events.ts'
import { pageOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { AGAIN, FREE, sqliteLeases } from './leases.ts'

const NEVER = Number.MAX_SAFE_INTEGER
// Since when there has been something to do for each target that may be sent anything.
const DUE = `SELECT name, since FROM (SELECT w.name AS name, min(
      coalesce((SELECT min(not_before) FROM webhook_delivery WHERE webhook = w.name AND ${FREE}), ${NEVER}),
      coalesce((SELECT at FROM event WHERE position > w.cursor ORDER BY position LIMIT 1), ${NEVER})) AS since
    FROM webhook AS w WHERE disabled_since IS NULL AND paused_until <= ?)
  WHERE since < ${NEVER} ORDER BY since LIMIT +?`

export const sqliteWebhookDeliveryReader = (
  connection: Connection,
  clock: Clock,
): Synchronous<WebhookDeliveryReader> => {
  const select = <Parameters extends unknown[]>(rest: string) =>
    connection.prepare<Parameters, DeliveryRow>(`SELECT ${DELIVERY_COLUMNS} FROM webhook_delivery WHERE ${rest}`)
  const byId = select<[number]>('id = ?')
  const listed = (which: string) =>
    select<[string | null, string | null, number, number]>(
      `${which} AND (? IS NULL OR webhook = ?) AND id > ? ORDER BY id LIMIT +?`,
    )
  const all = listed('TRUE')
  const parked = listed('parked_at IS NOT NULL')
  const unparked = listed('parked_at IS NULL')
  const due = connection.prepare<[number, number, number, number], { name: WebhookName; since: number }>(DUE)
  const anyParked = connection
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM webhook_delivery WHERE parked_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM webhook WHERE disabled_because <> 'by-hand')`,
    )
    .pluck()
  const depth = connection
    .prepare<[], [waiting: number, parked: number]>(
      `SELECT (SELECT count(*) FROM webhook_delivery WHERE parked_at IS NULL),
        (SELECT count(*) FROM webhook_delivery WHERE parked_at IS NOT NULL)`,
    )
    .raw()
  const dues = (limit: number) => {
    const now = clock.now()
    return due.all(now, now, now, limit)
  }
  return {
    find: (id) => {
      const row = byId.get(id)
      return row && toDelivery(row)
    },
    list: ({ after, limit, parked: wanted, webhook = null }) => {
      const statement = wanted === undefined ? all : wanted ? parked : unparked
      return pageOf(statement.all(webhook, webhook, after, limit + 1), { limit, by: ({ id }) => id }, toDelivery)
    },
    due: (limit) => dues(limit).map(({ name }) => name),
    health: () => ({ parked: anyParked.get() === 1, dueSince: dues(1)[0]?.since }),
    depth: () => {
      const [waiting = 0, parked = 0] = depth.get() ?? []
      return { waiting, parked }
    },
  }
}

export const sqliteWebhookDeliveryStore = (writer: Writer, clock: Clock): Synchronous<WebhookDeliveryStore> => {
  const { connection } = writer
  const progress = connection.prepare<[string], ProgressRow>(`SELECT ${PROGRESS_COLUMNS} FROM webhook WHERE name = ?`)
  const putProgress = connection.prepare(
    'UPDATE webhook SET cursor = ?, failures = ?, failing_since = ?, paused_until = ? WHERE name = ?',
  )
  const waiting = connection
    .prepare<[string], number>('SELECT count(*) FROM webhook_delivery WHERE webhook = ? AND parked_at IS NULL')
    .pluck()
  const add = connection.prepare(
    `INSERT INTO webhook_delivery (webhook, position, type, subject, at, created_at, not_before)
      SELECT name, ?, ?, ?, ?, ?, ? FROM webhook WHERE name = ?
      ON CONFLICT (webhook, position) DO UPDATE SET not_before = excluded.not_before, attempts = 0, parked_at = NULL
        WHERE parked_at IS NOT NULL`,
  )
  const free = connection.prepare<[string, number, number, string, number], DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM webhook_delivery AS one WHERE webhook = ? AND ${FREE} AND owner IS NOT ?
      AND NOT EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook = one.webhook
        AND earlier.subject = one.subject AND earlier.position < one.position AND earlier.parked_at IS NULL)
      ORDER BY not_before, position LIMIT +?`,
  )
  const { leases, take } = sqliteLeases(writer, clock, 'webhook_delivery')
  const retryParked = connection.prepare(
    `UPDATE webhook_delivery SET ${AGAIN} WHERE webhook = ? AND parked_at IS NOT NULL`,
  )
  const retryWaiting = connection.prepare(
    `UPDATE webhook_delivery SET ${AGAIN} WHERE webhook = ? AND parked_at IS NULL`,
  )
  const prune = connection.prepare(
    'DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery WHERE parked_at < ? ORDER BY id LIMIT +?)',
  )

  return {
    ...sqliteWebhookDeliveryReader(connection, clock),
    ...leases,
    progress: (name) => {
      const row = progress.get(name)
      return row && toProgress(row)
    },
    putProgress: (name, { cursor, failures, failingSince, pausedUntil }) => {
      writer.write(putProgress, cursor, failures, failingSince ?? null, pausedUntil, name)
    },
    waiting: (name) => waiting.get(name) ?? 0,
    add: (name, events) => {
      const now = clock.now()
      for (const { position, type, subject, at } of events)
        writer.write(add, position, type, subject, at, now, now, name)
    },
    claim: ({ webhook, owner, limit, leaseFor }) => {
      const now = clock.now()
      return free.all(webhook, now, now, owner, limit).map((row) => {
        const delivery = toDelivery(row)
        take(delivery.id, owner, now + leaseFor)
        return { ...delivery, attempts: delivery.attempts + 1 }
      })
    },
    retryAll: (name, { parked }) => writer.write(parked ? retryParked : retryWaiting, clock.now(), name).changes,
    prune: (before, limit) => writer.write(prune, before, limit).changes,
  }
}
