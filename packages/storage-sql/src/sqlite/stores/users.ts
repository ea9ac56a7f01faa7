import { EmailTaken, type User, type UserReader, type UserStore } from '@rollcall/core'
import { pageOf, valuesOf } from '../../tables/table.ts'
import {
  type AccountStatusRow,
  folded,
  toAccountStatus,
  toRoles,
  toUser,
  USER_COLUMNS,
  USER_VALUES,
  type UserRow,
  userRow,
} from '../../tables/users.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import { violates } from '../sqlite-error.ts'
import type { Writer } from '../writer.ts'

export const sqliteUserReader = (connection: Connection): Synchronous<UserReader> => {
  const select = <Parameters extends unknown[]>(rest: string) =>
    connection.prepare<Parameters, UserRow>(`SELECT ${USER_COLUMNS} FROM user_account ${rest}`)
  const HOLDERS = 'JOIN user_role ON user_seq = seq WHERE role = +? AND user_seq > +?'
  const byId = select<[string]>('WHERE id = ?')
  const all = select<[number, number]>('WHERE seq > ? ORDER BY seq LIMIT +?')
  const matching = select<[number, string, number]>('WHERE seq > ? AND instr(search, ?) ORDER BY seq LIMIT +?')
  const withRole = select<[string, number, number]>(`${HOLDERS} ORDER BY user_seq LIMIT +?`)
  const matchingWithRole = select<[string, number, string, number]>(
    `${HOLDERS} AND instr(search, ?) ORDER BY user_seq LIMIT +?`,
  )
  const countWithRole = connection.prepare<[string], number>('SELECT count(*) FROM user_role WHERE role = ?').pluck()
  const by = ({ seq }: UserRow) => seq
  const accountStatus = connection.prepare<[string, string], AccountStatusRow>(
    `SELECT EXISTS (SELECT 1 FROM tombstone WHERE id = +?) AS deleted, roles, tokens_not_before
      FROM (SELECT 1) LEFT JOIN user_account ON id = +?`,
  )

  return {
    find: (id) => {
      const row = byId.get(id)
      return row && toUser(row)
    },
    accountStatus: (subject) => {
      const row = accountStatus.get(subject, subject)
      return row && toAccountStatus(row)
    },
    list: ({ after, limit, query, role }) => {
      const most = limit + 1
      const needle = query === undefined ? undefined : folded(query)
      if (needle === undefined)
        return pageOf(
          role === undefined ? all.all(after, most) : withRole.all(role, after, most),
          { limit, by },
          toUser,
        )
      const rows =
        role === undefined ? matching.all(after, needle, most) : matchingWithRole.all(role, after, needle, most)
      return pageOf(rows, { limit, by }, toUser)
    },
    countWithRole: (role) => countWithRole.get(role) ?? 0,
  }
}

/** Where a user is, and its roles as they are kept. */
type Place = Pick<UserRow, 'seq' | 'roles'>

export const sqliteUserStore = (writer: Writer): Synchronous<UserStore> => {
  const { connection } = writer
  const place = connection.prepare<[string], Place>('SELECT seq, roles FROM user_account WHERE id = ?')
  const insert = connection.prepare(
    `INSERT INTO user_account (${USER_VALUES.join(', ')}, id) VALUES (${USER_VALUES.map(() => '?').join(', ')}, ?)`,
  )
  const update = connection.prepare(
    `UPDATE user_account SET ${USER_VALUES.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
  )
  const erase = connection.prepare('DELETE FROM user_account WHERE seq = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const grant = connection.prepare('INSERT INTO user_role (role, user_seq) VALUES (?, ?)')
  const revoke = connection.prepare('DELETE FROM user_role WHERE role = ? AND user_seq = ?')

  const revokeAll = ({ seq, roles }: Place): void => {
    for (const role of toRoles(roles)) writer.write(revoke, role, seq)
  }

  const save = (user: User, known: number | undefined): number => {
    const values = valuesOf(USER_VALUES, userRow(user))
    try {
      const { lastInsertRowid } = writer.write(known === undefined ? insert : update, ...values, user.id)
      return known ?? Number(lastInsertRowid)
    } catch (error) {
      // The unique index decides, not a SELECT before it.
      throw violates(error, 'user_account.email_key') ? new EmailTaken({ cause: error }) : error
    }
  }

  return {
    ...sqliteUserReader(connection),
    put: (user) => {
      const known = place.get(user.id)
      const seq = save(user, known?.seq)
      if (known !== undefined) revokeAll(known)
      for (const role of new Set(user.roles)) writer.write(grant, role, seq)
    },
    erase: (id) => {
      const known = place.get(id)
      if (known === undefined) return
      revokeAll(known)
      writer.write(erase, known.seq)
      writer.write(noteErasure)
    },
  }
}
