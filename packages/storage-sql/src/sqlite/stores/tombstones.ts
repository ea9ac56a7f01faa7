import type { TombstoneReader, TombstoneStore } from '@rollcall/core'
import { valuesOf } from '../../tables/table.ts'
import {
  TOMBSTONE_COLUMNS,
  TOMBSTONE_VALUES,
  type TombstoneRow,
  tombstoneRow,
  toOwnedTombstone,
  toTombstone,
} from '../../tables/users.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

export const sqliteTombstoneReader = (connection: Connection): Synchronous<TombstoneReader> => {
  const byId = connection.prepare<[string], TombstoneRow>(`SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id = ?`)
  const list = connection.prepare<[string, number], TombstoneRow>(
    `SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id > ? ORDER BY id LIMIT +?`,
  )
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
    `INSERT OR REPLACE INTO tombstone (${TOMBSTONE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const exists = connection.prepare<[string], number>('SELECT 1 FROM tombstone WHERE id = ?').pluck()
  const remove = connection.prepare('DELETE FROM tombstone WHERE id = ?')
  return {
    ...sqliteTombstoneReader(connection),
    put: (id, tombstone) => {
      writer.write(put, ...valuesOf(TOMBSTONE_VALUES, tombstoneRow(id, tombstone)))
    },
    has: (id) => exists.get(id) !== undefined,
    remove: (id) => {
      writer.write(remove, id)
    },
  }
}
