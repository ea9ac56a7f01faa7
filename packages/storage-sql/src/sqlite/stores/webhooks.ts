import type { WebhookReader, WebhookStore } from '@rollcall/core'
import { pageOf } from '../../rows/page-of.ts'
import { toWebhook, WEBHOOK_COLUMNS, type WebhookRow, webhookValues } from '../../rows/webhook-row.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

const [, ...PUT] = WEBHOOK_COLUMNS.split(', ')

export const sqliteWebhookReader = (connection: Connection): Synchronous<WebhookReader> => {
  const byName = connection.prepare<[string], WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE name = ?`).raw()
  const list = connection
    .prepare<[number, number], WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE seq > ? ORDER BY seq LIMIT +?`)
    .raw()
  return {
    find: (name) => {
      const row = byName.get(name)
      return row && toWebhook(row)
    },
    list: ({ after, limit }) => pageOf(list.all(after, limit + 1), limit, toWebhook),
  }
}

export const sqliteWebhookStore = (writer: Writer): Synchronous<WebhookStore> => {
  const put = writer.connection.prepare(
    `INSERT INTO webhook (${PUT.join(', ')}, cursor)
      VALUES (${PUT.map(() => '?').join(', ')}, (SELECT coalesce(max(position), 0) FROM event))
      ON CONFLICT (name) DO UPDATE SET ${PUT.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  )
  const remove = writer.connection.prepare('DELETE FROM webhook WHERE name = ?')
  return {
    ...sqliteWebhookReader(writer.connection),
    put: (webhook) => {
      writer.write(put, ...webhookValues(webhook))
    },
    remove: (name) => writer.write(remove, name).changes === 1,
  }
}
