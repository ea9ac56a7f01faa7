import { EmailTaken, type Standing, type User, type UserReader, type UserStore } from '@rollcall/core'
import { pageOf } from '../../rows/page-of.ts'
import { folded, searchText, toRoles, toUser, USER_COLUMNS, type UserRow } from '../../rows/user-row.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import { violates } from '../sqlite-error.ts'
import type { Writer } from '../writer.ts'

export const sqliteUserReader = (connection: Connection): Synchronous<UserReader> => {
  const select = <Parameters extends unknown[]>(rest: string) =>
    connection.prepare<Parameters, UserRow>(`SELECT ${USER_COLUMNS} FROM user_account ${rest}`).raw()
  const HOLDERS = 'JOIN user_role ON user_seq = seq WHERE role = +? AND user_seq > +?'
  const byId = select<[string]>('WHERE id = ?')
  const all = select<[number, number]>('WHERE seq > ? ORDER BY seq LIMIT +?')
  const matching = select<[number, string, number]>('WHERE seq > ? AND instr(search, ?) ORDER BY seq LIMIT +?')
  const withRole = select<[string, number, number]>(`${HOLDERS} ORDER BY user_seq LIMIT +?`)
  const matchingWithRole = select<[string, number, string, number]>(
    `${HOLDERS} AND instr(search, ?) ORDER BY user_seq LIMIT +?`,
  )
  const countWithRole = connection.prepare<[string], number>('SELECT count(*) FROM user_role WHERE role = ?').pluck()
  const standing = connection
    .prepare<[string, string], [deleted: number, roles: string | null, tokensNotBefore: number | null]>(
      `SELECT EXISTS (SELECT 1 FROM tombstone WHERE id = +?), roles, tokens_not_before
        FROM (SELECT 1) LEFT JOIN user_account ON id = +?`,
    )
    .raw()

  return {
    find: (id) => {
      const row = byId.get(id)
      return row && toUser(row)
    },
    standing: (subject): Standing => {
      const [deleted, roles = null, tokensNotBefore = null] = standing.get(subject, subject) ?? []
      if (deleted) return 'deleted'
      if (roles === null) return undefined
      return tokensNotBefore === null ? { roles: toRoles(roles) } : { roles: toRoles(roles), tokensNotBefore }
    },
    list: ({ after, limit, query, role }) => {
      const most = limit + 1
      const needle = query === undefined ? undefined : folded(query)
      if (needle === undefined)
        return pageOf(role === undefined ? all.all(after, most) : withRole.all(role, after, most), limit, toUser)
      const rows =
        role === undefined ? matching.all(after, needle, most) : matchingWithRole.all(role, after, needle, most)
      return pageOf(rows, limit, toUser)
    },
    countWithRole: (role) => countWithRole.get(role) ?? 0,
  }
}

/** Where a user is, and its roles as they are kept. */
interface Place {
  readonly seq: number
  readonly roles: string
}

export const sqliteUserStore = (writer: Writer): Synchronous<UserStore> => {
  const { connection } = writer
  const place = connection.prepare<[string], Place>('SELECT seq, roles FROM user_account WHERE id = ?')
  const insert = connection.prepare(
    `INSERT INTO user_account (email, email_key, name, roles, search, created_at, updated_at,
      tokens_not_before, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = connection.prepare(
    `UPDATE user_account SET email = ?, email_key = ?, name = ?, roles = ?, search = ?, created_at = ?, updated_at = ?,
      tokens_not_before = ? WHERE id = ?`,
  )
  const erase = connection.prepare('DELETE FROM user_account WHERE seq = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const grant = connection.prepare('INSERT INTO user_role (role, user_seq) VALUES (?, ?)')
  const revoke = connection.prepare('DELETE FROM user_role WHERE role = ? AND user_seq = ?')

  const revokeAll = ({ seq, roles }: Place): void => {
    for (const role of toRoles(roles)) writer.write(revoke, role, seq)
  }

  const save = (user: User, known: number | undefined): number => {
    const { id, email, emailKey, name, roles, createdAt, updatedAt, tokensNotBefore = null } = user
    const values = [
      email,
      emailKey,
      name,
      JSON.stringify(roles),
      searchText(user),
      createdAt,
      updatedAt,
      tokensNotBefore,
      id,
    ]
    try {
      const { lastInsertRowid } = writer.write(known === undefined ? insert : update, ...values)
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
