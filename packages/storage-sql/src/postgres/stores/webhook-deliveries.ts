import type { WebhookDeliveryStore } from '@rollcall/core'
import {
  DELIVERY_READ,
  type DeliveryRow,
  deliveryReader,
  deliveryStore,
  IS_FIRST,
  TRIM_ANSWERS,
  toDelivery,
} from '../../tables/events.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { giverBack } from './outbox.ts'
import { FREE_NOW, firm, NOW, postgresReader, postgresStore } from './run-methods.ts'

export const postgresWebhookDeliveryReader = postgresReader(deliveryReader('least'))

const store = postgresStore(deliveryStore('least'), {
  find: firm(keyOf.webhookDelivery),
  progress: firm(keyOf.webhook),
})
const giveBack = giverBack('webhook_delivery')

const ADD = statement(
  `INSERT INTO webhook_delivery (webhook, position, type, subject, at, feed, trace_context, created_at, not_before)
    SELECT name, new.*, ${NOW}, ${NOW}
      FROM webhook, unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])
        AS new (position, type, subject, at, feed, trace_context)
      WHERE name = $1 ORDER BY new.position
    ON CONFLICT (webhook, position) DO UPDATE SET not_before = excluded.not_before, attempts = 0, parked_at = NULL
      WHERE webhook_delivery.parked_at IS NOT NULL`,
)
const ANSWER = statement(
  `INSERT INTO webhook_answer (webhook, at, position, type, subject, attempt, status, error, head)
    SELECT name, new.* FROM webhook,
      unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::text[], $9::text[])
        AS new (at, position, type, subject, attempt, status, error, head)
      WHERE name = $1`,
)
const TRIM = statement(TRIM_ANSWERS.replace('?', '$1').replace('?', '$1'))
const CLAIM = rowStatement<DeliveryRow>(
  `WITH due AS MATERIALIZED
      (SELECT id FROM webhook_delivery AS one WHERE webhook = $1 AND ${FREE_NOW} AND owner IS DISTINCT FROM $2
        AND ${IS_FIRST}
        ORDER BY not_before, position LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE webhook_delivery SET owner = $2, leased_until = ${NOW} + $4, attempts = attempts + 1
      FROM due WHERE webhook_delivery.id = due.id
      RETURNING ${DELIVERY_READ.map((column) => `webhook_delivery.${column}`).join(', ')})
    SELECT * FROM leased ORDER BY not_before, position`,
)

export const postgresWebhookDeliveryStore = (unit: Transaction): WebhookDeliveryStore => ({
  ...store(unit),
  add: async (name, events) =>
    unit.write(
      ADD,
      name,
      events.map(({ position }) => position),
      events.map(({ type }) => type),
      events.map(({ subject }) => subject),
      events.map(({ at }) => at),
      events.map(({ feed }) => feed ?? null),
      events.map(({ traceContext }) => traceContext ?? null),
    ),
  keepAnswers: async (name, answers) => {
    unit.write(
      ANSWER,
      name,
      answers.map(({ at }) => at),
      answers.map(({ position }) => position),
      answers.map(({ type }) => type),
      answers.map(({ subject }) => subject),
      answers.map(({ attempt }) => attempt),
      answers.map(({ status }) => status ?? null),
      answers.map(({ error }) => error ?? null),
      answers.map(({ head }) => head ?? null),
    )
    unit.write(TRIM, name)
  },
  giveBack: giveBack(unit),
  claim: async ({ webhook, owner, limit, leaseFor }) =>
    (await unit.ask(CLAIM, webhook, owner, limit, leaseFor)).map(toDelivery),
})
