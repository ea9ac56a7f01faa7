import type { TombstoneStore } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'

export const sqliteTombstoneStore = (writer: Writer): Synchronous<TombstoneStore> => {
  const { connection } = writer
  const insert = connection.prepare('INSERT INTO tombstone (id, deleted_at) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const exists = connection.prepare<[string], number>('SELECT 1 FROM tombstone WHERE id = ?').pluck()
  return {
    add: (id, deletedAt) => {
      writer.write(insert, id, deletedAt)
    },
    has: (id) => exists.get(id) !== undefined,
  }
}
