import type { WebhookDeliveryStore } from '@rollcall/core'
import {
  ANSWER_COLUMNS,
  answerValues,
  DELIVERY_READ,
  type DeliveryRow,
  deliveryReader,
  deliveryStore,
  EVENT,
  EVENT_VALUES,
  eventValues,
  IS_FIRST,
  TRIM_ANSWERS,
  toDelivery,
  WEBHOOK_ANSWER,
} from '../../tables/events.ts'
import { keyOf } from '../lock-keys.ts'
import { arraysOf, rowStatement, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { giverBack } from './outbox.ts'
import { FREE_NOW, firm, NOW, postgresReader, postgresStore } from './run-methods.ts'

export const postgresWebhookDeliveryReader = postgresReader(deliveryReader('least'))

const store = postgresStore(deliveryStore('least'), {
  progress: firm(keyOf.webhook),
})
const giveBack = giverBack('webhook_delivery')

const EVENT_COLUMNS = EVENT_VALUES.join(', ')
const ADD = statement(
  `INSERT INTO webhook_delivery (webhook, ${EVENT_COLUMNS}, created_at, not_before)
    SELECT name, new.*, ${NOW}, ${NOW} FROM webhook, unnest(${arraysOf(EVENT, EVENT_VALUES, 2)}) AS new (${EVENT_COLUMNS})
      WHERE name = $1 ORDER BY new.position
    ON CONFLICT (webhook, position) DO UPDATE SET not_before = excluded.not_before, attempts = 0, parked_at = NULL
      WHERE webhook_delivery.parked_at IS NOT NULL`,
)
const ANSWERS = ANSWER_COLUMNS.join(', ')
const ANSWER = statement(
  `INSERT INTO webhook_answer (${ANSWERS})
    SELECT new.* FROM webhook, unnest(${arraysOf(WEBHOOK_ANSWER, ANSWER_COLUMNS, 2)}) AS new (${ANSWERS}) WHERE name = $1`,
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
  add: async (name, events) => unit.write(ADD, name, ...valueArrays(EVENT_VALUES.length, events.map(eventValues))),
  keepAnswers: async (name, answers) => {
    unit.write(ANSWER, name, ...valueArrays(ANSWER_COLUMNS.length, answers.map(answerValues)))
    unit.write(TRIM, name)
  },
  giveBack: giveBack(unit),
  claim: async ({ webhook, owner, limit, leaseFor }) =>
    (await unit.ask(CLAIM, webhook, owner, limit, leaseFor)).map(toDelivery),
})
