import type { WebhookReader, WebhookStore } from '@rollcall/core'
import { pageOf } from '../../rows/page-of.ts'
import { toWebhook, WEBHOOK_COLUMNS, type WebhookRow, webhookValues } from '../../rows/webhook-row.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const [, ...PUT] = WEBHOOK_COLUMNS.split(', ')
const FIND = statement(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE name = $1`)
const LOOK = statement(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE name = $1 FOR UPDATE`)
const LIST = statement(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE seq > $1 ORDER BY seq LIMIT $2`)
const SAVE = statement(
  `INSERT INTO webhook (${PUT.join(', ')}, cursor)
    VALUES (${placeholders(PUT.length)}, (SELECT coalesce(max(position), 0) FROM event))
    ON CONFLICT (name) DO UPDATE SET ${PUT.map((column) => `${column} = excluded.${column}`).join(', ')}`,
)
const REMOVE = statement('DELETE FROM webhook WHERE name = $1')

export const postgresWebhookReader = (ask: Ask): WebhookReader => ({
  find: async (name) => {
    const [row] = await ask<WebhookRow>(FIND, name)
    return row && toWebhook(row)
  },
  list: async ({ after, limit }) => pageOf(await ask<WebhookRow>(LIST, after, limit + 1), limit, toWebhook),
})

export const postgresWebhookStore = (unit: Transaction): WebhookStore => ({
  ...postgresWebhookReader(unit.ask),
  find: async (name) => {
    const row = await unit.firm<WebhookRow>(keyOf.webhook(name), LOOK, name)
    return row && toWebhook(row)
  },
  put: async (webhook) => {
    unit.lock(keyOf.webhook(webhook.name))
    unit.write(SAVE, ...webhookValues(webhook))
  },
  remove: async (name) => {
    unit.lock(keyOf.webhook(name))
    return (await unit.change(REMOVE, name)) === 1
  },
})
