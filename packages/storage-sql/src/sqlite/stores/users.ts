import { EmailTaken, type User, UserDeleted, UserNameTaken, type UserReader, type UserStore } from '@rollcall/core'
import { searchedIn, searching } from '../../tables/finding.ts'
import { CLAIM_IDENTITY } from '../../tables/identities.ts'
import { insertInto } from '../../tables/table.ts'
import {
  COUNT_OF_USERS,
  NOTE_SEEN,
  toRoles,
  USER_VALUES,
  type UserRow,
  userReader,
  userValues,
} from '../../tables/users.ts'
import { asynchronous, type Invoke, type Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import { violates } from '../sqlite-error.ts'
import type { Writer } from '../writer.ts'
import { sqliteReader, sqliteStore } from './run-methods.ts'

const SEARCHED = searchedIn('user_account', COUNT_OF_USERS)

/** `peek` does not wait for the disk: a status is not shown, and a deletion or demotion takes effect the sooner. */
export const sqliteUserReader = (connection: Connection, invoke: Invoke, peek: Invoke): UserReader => {
  const reader = sqliteReader(userReader('sqlite'), connection)
  const users = asynchronous<UserReader>(reader, invoke)
  const { accountStatus } = asynchronous<UserReader>(reader, peek)
  return {
    ...users,
    accountStatus,
    list: searching(users.list, asynchronous(sqliteReader(SEARCHED, connection), invoke)),
  }
}

/** Where a user is, and its roles as they are kept. */
type Place = Pick<UserRow, 'seq' | 'roles'>

export const sqliteUserStore = (writer: Writer): Synchronous<UserStore> => {
  const { connection } = writer
  const place = connection.prepare<[string], Place>('SELECT seq, roles FROM user_account WHERE id = ?')
  const claim = connection.prepare(CLAIM_IDENTITY)
  const insert = connection.prepare(insertInto('user_account', [...USER_VALUES, 'id']))
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
    const values = userValues(user)
    try {
      const { lastInsertRowid } = writer.write(known === undefined ? insert : update, ...values, user.id)
      return known ?? Number(lastInsertRowid)
    } catch (error) {
      // The unique index decides, not a SELECT before it.
      if (violates(error, 'user_account.user_name_key')) throw new UserNameTaken({ cause: error })
      throw violates(error, 'user_account.email_key') ? new EmailTaken({ cause: error }) : error
    }
  }

  const users = sqliteStore<UserReader & Pick<UserStore, 'noteSeen'>>({ ...userReader('sqlite'), ...NOTE_SEEN }, writer)
  return {
    ...users,
    callerStatus: users.accountStatus,
    put: (user) => {
      if (writer.write(claim, user.id).changes === 0) throw new UserDeleted()
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
