import type { HeldUserStore } from '@rollcall/core'
import { valuesOf } from '../../tables/table.ts'
import { HELD_USER_COLUMNS, HELD_USER_VALUES, type HeldUserRow, heldUserRow, toHeldUser } from '../../tables/users.ts'
import type { Synchronous } from '../asynchronous.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'

export const sqliteHeldUserStore = (writer: Writer): Synchronous<HeldUserStore> => {
  const { connection } = writer
  const insert = connection.prepare(`INSERT INTO held_user (${HELD_USER_COLUMNS}) VALUES (?, ?, ?, ?, ?)`)
  const byId = connection.prepare<[string], HeldUserRow>(`SELECT ${HELD_USER_COLUMNS} FROM held_user WHERE id = ?`)
  const remove = connection.prepare('DELETE FROM held_user WHERE id = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const due = connection.prepare<[number, number], HeldUserRow>(
    `SELECT ${HELD_USER_COLUMNS} FROM held_user WHERE erases_at <= ? ORDER BY erases_at, id LIMIT +?`,
  )
  return {
    add: (held) => {
      writer.write(insert, ...valuesOf(HELD_USER_VALUES, heldUserRow(held)))
    },
    find: (id) => {
      const row = byId.get(id)
      return row && toHeldUser(row)
    },
    remove: (id) => {
      if (writer.write(remove, id).changes > 0) writer.write(noteErasure)
    },
    due: (now, limit) => due.all(now, limit).map(toHeldUser),
  }
}
