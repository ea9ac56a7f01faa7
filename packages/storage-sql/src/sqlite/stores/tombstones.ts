import type { TombstoneReader, TombstoneStore } from '@rollcall/core'
import {
  type OwnedTombstoneRow,
  TOMBSTONE_COLUMNS,
  type TombstoneRow,
  toOwnedTombstone,
  toTombstone,
} from '../../rows/tombstone-row.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

export const sqliteTombstoneReader = (connection: Connection): Synchronous<TombstoneReader> => {
  const byId = connection
    .prepare<[string], TombstoneRow>(`SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id = ?`)
    .raw()
  const list = connection
    .prepare<[string, number], OwnedTombstoneRow>(
      `SELECT ${TOMBSTONE_COLUMNS}, id FROM tombstone WHERE id > ? ORDER BY id LIMIT +?`,
    )
    .raw()
  return {
    find: (id) => {
      const row = byId.get(id)
      return row && toTombstone(row)
    },
    list: ({ after = '', limit }) => list.all(after, limit).map(toOwnedTombstone),
  }
}

export const sqliteTombstoneStore = (writer: Writer): Synchronous<TombstoneStore> => {
  const { connection } = writer
  const put = connection.prepare(
    `INSERT OR REPLACE INTO tombstone (${TOMBSTONE_COLUMNS}, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const exists = connection.prepare<[string], number>('SELECT 1 FROM tombstone WHERE id = ?').pluck()
  const remove = connection.prepare('DELETE FROM tombstone WHERE id = ?')
  return {
    ...sqliteTombstoneReader(connection),
    put: (id, { deletedAt, audit, erasesAt, erased, subscriptionsKept }) => {
      const { users, roles, subscriptions, mails } = erased
      writer.write(put, deletedAt, audit, erasesAt ?? null, users, roles, subscriptions, mails, subscriptionsKept, id)
    },
    has: (id) => exists.get(id) !== undefined,
    remove: (id) => {
      writer.write(remove, id)
    },
  }
}
