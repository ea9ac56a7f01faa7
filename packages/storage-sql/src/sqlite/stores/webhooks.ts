import type { WebhookReader, WebhookStore } from '@rollcall/core'
import { NEW_WEBHOOK, toWebhook, WEBHOOK_COLUMNS, type WebhookRow, webhookRow } from '../../tables/events.ts'
import { excluded, pageOf, valuesOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

export const sqliteWebhookReader = (connection: Connection): Synchronous<WebhookReader> => {
  const byName = connection.prepare<[string], WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE name = ?`)
  const list = connection.prepare<[number, number], WebhookRow>(
    `SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE seq > ? ORDER BY seq LIMIT +?`,
  )
  const by = ({ seq }: WebhookRow) => seq
  return {
    find: (name) => {
      const row = byName.get(name)
      return row && toWebhook(row)
    },
    list: ({ after, limit }) => pageOf(list.all(after, limit + 1), { limit, by }, toWebhook),
  }
}

export const sqliteWebhookStore = (writer: Writer): Synchronous<WebhookStore> => {
  const put = writer.connection.prepare(
    `INSERT INTO webhook (${NEW_WEBHOOK.join(', ')}, cursor)
      VALUES (${NEW_WEBHOOK.map(() => '?').join(', ')}, (SELECT coalesce(max(position), 0) FROM event))
      ON CONFLICT (name) DO UPDATE SET ${excluded(NEW_WEBHOOK)}`,
  )
  const remove = writer.connection.prepare('DELETE FROM webhook WHERE name = ?')
  return {
    ...sqliteWebhookReader(writer.connection),
    put: (webhook) => {
      writer.write(put, ...valuesOf(NEW_WEBHOOK, webhookRow(webhook)))
    },
    remove: (name) => writer.write(remove, name).changes === 1,
  }
}
