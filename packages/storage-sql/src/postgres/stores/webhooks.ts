import type { WebhookReader, WebhookStore } from '@rollcall/core'
import { NEW_WEBHOOK, toWebhook, WEBHOOK_COLUMNS, type WebhookRow, webhookRow } from '../../tables/events.ts'
import { excluded, pageOf, valuesOf } from '../../tables/table.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const FIND = rowStatement<WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE name = $1`)
const LOOK = rowStatement<WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE name = $1 FOR UPDATE`)
const LIST = rowStatement<WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE seq > $1 ORDER BY seq LIMIT $2`)
const SAVE = statement(
  `INSERT INTO webhook (${NEW_WEBHOOK.join(', ')}, cursor)
    VALUES (${placeholders(NEW_WEBHOOK.length)}, (SELECT coalesce(max(position), 0) FROM event))
    ON CONFLICT (name) DO UPDATE SET ${excluded(NEW_WEBHOOK)}`,
)
const REMOVE = statement('DELETE FROM webhook WHERE name = $1')

export const postgresWebhookReader = (ask: Ask): WebhookReader => ({
  find: async (name) => {
    const [row] = await ask(FIND, name)
    return row && toWebhook(row)
  },
  list: async ({ after, limit }) =>
    pageOf(await ask(LIST, after, limit + 1), { limit, by: ({ seq }) => seq }, toWebhook),
})

export const postgresWebhookStore = (unit: Transaction): WebhookStore => ({
  ...postgresWebhookReader(unit.ask),
  find: async (name) => {
    const row = await unit.firm(keyOf.webhook(name), LOOK, name)
    return row && toWebhook(row)
  },
  put: async (webhook) => {
    unit.lock(keyOf.webhook(webhook.name))
    unit.write(SAVE, ...valuesOf(NEW_WEBHOOK, webhookRow(webhook)))
  },
  remove: async (name) => {
    unit.lock(keyOf.webhook(name))
    return (await unit.change(REMOVE, name)) === 1
  },
})
