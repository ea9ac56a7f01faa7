import type { WebhookDeliveryReader, WebhookDeliveryStore, WebhookName } from '@rollcall/core'
import {
  DELIVERY_COLUMNS,
  DELIVERY_READ,
  type DeliveryRow,
  PROGRESS_COLUMNS,
  type ProgressRow,
  toDelivery,
  toProgress,
} from '../../tables/events.ts'
import { pageOf } from '../../tables/table.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { AGAIN, FREE, NOW, postgresLeases } from './leases.ts'

const select = (rest: string) =>
  rowStatement<DeliveryRow>(`SELECT ${DELIVERY_COLUMNS} FROM webhook_delivery WHERE ${rest}`)
interface DueRow {
  readonly name: WebhookName
  readonly since: number
}

const OF_TARGET = '($1::text IS NULL OR webhook = $1)'
const BY_ID = select('id = $1')
const LOOK = select('id = $1 FOR UPDATE')
const ALL = select(`${OF_TARGET} AND id > $2 ORDER BY id LIMIT $3`)
const PARKED = select(`parked_at IS NOT NULL AND ${OF_TARGET} AND id > $2 ORDER BY id LIMIT $3`)
const UNPARKED = select(`parked_at IS NULL AND ${OF_TARGET} AND id > $2 ORDER BY id LIMIT $3`)
// Since when there has been something to do for each target that may be sent anything.
const DUE = rowStatement<DueRow>(
  `SELECT name, since FROM (SELECT w.name, least(
      (SELECT min(not_before) FROM webhook_delivery WHERE webhook = w.name AND ${FREE}),
      (SELECT at FROM event WHERE position > w.cursor ORDER BY position LIMIT 1)) AS since
    FROM webhook AS w WHERE disabled_since IS NULL AND paused_until <= ${NOW}) AS targets
    WHERE since IS NOT NULL ORDER BY since LIMIT $1`,
)
const ANY_PARKED = statement(
  `SELECT EXISTS (SELECT 1 FROM webhook_delivery WHERE parked_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM webhook WHERE disabled_because <> 'by-hand')`,
)
const DEPTH = statement(
  `SELECT (SELECT count(*) FROM webhook_delivery WHERE parked_at IS NULL),
    (SELECT count(*) FROM webhook_delivery WHERE parked_at IS NOT NULL)`,
)

export const postgresWebhookDeliveryReader = (ask: Ask): WebhookDeliveryReader => ({
  find: async (id) => {
    const [row] = await ask(BY_ID, id)
    return row && toDelivery(row)
  },
  list: async ({ after, limit, parked, webhook = null }) => {
    const wanted = parked === undefined ? ALL : parked ? PARKED : UNPARKED
    return pageOf(await ask(wanted, webhook, after, limit + 1), { limit, by: ({ id }) => id }, toDelivery)
  },
  due: async (limit) => (await ask(DUE, limit)).map(({ name }) => name),
  health: async () => {
    const [[parked], [first]] = await Promise.all([
      ask<[parked: boolean]>(ANY_PARKED).then(([row = [false]]) => row),
      ask(DUE, 1),
    ])
    return { parked, dueSince: first?.since }
  },
  depth: async () => {
    const [[waiting, parked] = [0, 0]] = await ask<[waiting: number, parked: number]>(DEPTH)
    return { waiting, parked }
  },
})

const PROGRESS = rowStatement<ProgressRow>(`SELECT ${PROGRESS_COLUMNS} FROM webhook WHERE name = $1 FOR UPDATE`)
const PUT_PROGRESS = statement(
  'UPDATE webhook SET cursor = $2, failures = $3, failing_since = $4, paused_until = $5 WHERE name = $1',
)
const WAITING = statement('SELECT count(*) FROM webhook_delivery WHERE webhook = $1 AND parked_at IS NULL')
const ADD = statement(
  `INSERT INTO webhook_delivery (webhook, position, type, subject, at, created_at, not_before)
    SELECT name, new.*, ${NOW}, ${NOW}
      FROM webhook, unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) AS new (position, type, subject, at)
      WHERE name = $1 ORDER BY new.position
    ON CONFLICT (webhook, position) DO UPDATE SET not_before = excluded.not_before, attempts = 0, parked_at = NULL
      WHERE webhook_delivery.parked_at IS NOT NULL`,
)
const CLAIM = rowStatement<DeliveryRow>(
  `WITH due AS MATERIALIZED
      (SELECT id FROM webhook_delivery AS one WHERE webhook = $1 AND ${FREE} AND owner IS DISTINCT FROM $2
        AND NOT EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook = one.webhook
          AND earlier.subject = one.subject AND earlier.position < one.position AND earlier.parked_at IS NULL)
        ORDER BY not_before, position LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE webhook_delivery SET owner = $2, leased_until = ${NOW} + $4, attempts = attempts + 1
      FROM due WHERE webhook_delivery.id = due.id
      RETURNING ${DELIVERY_READ.map((column) => `webhook_delivery.${column}`).join(', ')})
    SELECT * FROM leased ORDER BY not_before, position`,
)
const leasesOf = postgresLeases('webhook_delivery')
const RETRY_PARKED = statement(`UPDATE webhook_delivery SET ${AGAIN} WHERE webhook = $1 AND parked_at IS NOT NULL`)
const RETRY_WAITING = statement(`UPDATE webhook_delivery SET ${AGAIN} WHERE webhook = $1 AND parked_at IS NULL`)
const PRUNE = statement(
  'DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery WHERE parked_at < $1 ORDER BY id LIMIT $2)',
)

export const postgresWebhookDeliveryStore = (unit: Transaction): WebhookDeliveryStore => ({
  ...postgresWebhookDeliveryReader(unit.ask),
  ...leasesOf(unit),
  find: async (id) => {
    const row = await unit.firm(keyOf.webhookDelivery(id), LOOK, id)
    return row && toDelivery(row)
  },
  progress: async (name) => {
    const row = await unit.firm(keyOf.webhook(name), PROGRESS, name)
    return row && toProgress(row)
  },
  putProgress: async (name, { cursor, failures, failingSince = null, pausedUntil }) =>
    unit.write(PUT_PROGRESS, name, cursor, failures, failingSince, pausedUntil),
  waiting: async (name) => {
    const [[count] = [0]] = await unit.ask<[count: number]>(WAITING, name)
    return count
  },
  add: async (name, events) =>
    unit.write(
      ADD,
      name,
      events.map(({ position }) => position),
      events.map(({ type }) => type),
      events.map(({ subject }) => subject),
      events.map(({ at }) => at),
    ),
  claim: async ({ webhook, owner, limit, leaseFor }) =>
    (await unit.ask(CLAIM, webhook, owner, limit, leaseFor)).map(toDelivery),
  retryAll: async (name, { parked }) => await unit.change(parked ? RETRY_PARKED : RETRY_WAITING, name),
  prune: async (before, limit) => await unit.change(PRUNE, before, limit),
})
