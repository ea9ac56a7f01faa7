import type { Clock, WebhookDeliveryStore } from '@rollcall/core'
import {
  ANSWER_COLUMNS,
  answerValues,
  DELIVERY_READ,
  type DeliveryRow,
  deliveryStore,
  EVENT_VALUES,
  eventValues,
  IS_FIRST,
  TRIM_ANSWERS,
  toDelivery,
} from '../../tables/events.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { FREE_NOW, giverBack, leaser } from './outbox.ts'
import { sqliteStore } from './run-methods.ts'

export const sqliteWebhookDeliveryStore = (writer: Writer, clock: Clock): Synchronous<WebhookDeliveryStore> => {
  const { connection } = writer
  const add = connection.prepare(
    `INSERT INTO webhook_delivery (${EVENT_VALUES.join(', ')}, created_at, not_before, webhook)
      SELECT ${EVENT_VALUES.map(() => '?').join(', ')}, ?, ?, name FROM webhook WHERE name = ?
      ON CONFLICT (webhook, position) DO UPDATE SET not_before = excluded.not_before, attempts = 0, parked_at = NULL
        WHERE parked_at IS NOT NULL`,
  )
  const free = connection.prepare<[string, number, number, string, number], DeliveryRow>(
    `SELECT ${DELIVERY_READ.join(', ')} FROM webhook_delivery AS one WHERE webhook = ? AND ${FREE_NOW} AND owner IS NOT ?
      AND ${IS_FIRST}
      ORDER BY not_before, position LIMIT +?`,
  )
  const lease = leaser(writer, 'webhook_delivery')
  const answer = connection.prepare(
    `INSERT INTO webhook_answer (${ANSWER_COLUMNS.join(', ')})
      SELECT ${ANSWER_COLUMNS.map(() => '?').join(', ')} WHERE EXISTS (SELECT 1 FROM webhook WHERE name = ?)`,
  )
  const trim = connection.prepare(TRIM_ANSWERS)
  return {
    ...sqliteStore(deliveryStore('min'), writer, clock),
    add: (name, events) => {
      const now = clock.now()
      for (const event of events) writer.write(add, ...eventValues(event), now, now, name)
    },
    keepAnswers: (name, answers) => {
      for (const each of answers) writer.write(answer, ...answerValues(each), name)
      writer.write(trim, name, name)
    },
    giveBack: giverBack(writer, 'webhook_delivery', clock),
    claim: (claim) => {
      const now = clock.now()
      return lease(free.all(claim.webhook, now, now, claim.owner, claim.limit).map(toDelivery), claim, now)
    },
  }
}
