import type { KeptMailStore } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import type { RowCache } from './row-cache.ts'

export const sqliteKeptMailStore = (writer: Writer, cache: RowCache): Synchronous<KeptMailStore> => {
  const { connection } = writer
  const insert = connection.prepare(
    'INSERT INTO kept_mail (subscription, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const list = connection
    .prepare<[number], string>('SELECT message_id FROM kept_mail WHERE subscription = +? ORDER BY message_id')
    .pluck()
  return {
    add: (id, messageId) => {
      const { seq } = cache.of(id)
      if (seq === undefined) throw new RangeError('There is no subscription for this kept mail.')
      writer.write(insert, seq, messageId)
    },
    list: (id) => {
      const { seq } = cache.of(id)
      return seq === undefined ? [] : list.all(seq)
    },
  }
}
