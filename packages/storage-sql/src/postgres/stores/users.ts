import { EmailTaken, type User, type UserReader, type UserStore } from '@rollcall/core'
import { pageOf, valuesOf } from '../../tables/table.ts'
import {
  type AccountStatusRow,
  folded,
  toAccountStatus,
  toUser,
  USER_COLUMNS,
  USER_VALUES,
  type UserRow,
  userRow,
} from '../../tables/users.ts'
import { keyOf } from '../lock-keys.ts'
import { violates } from '../postgres-error.ts'
import { type Ask, placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const select = (rest: string) => rowStatement<UserRow>(`SELECT ${USER_COLUMNS} FROM user_account ${rest}`)
const HOLDERS = 'JOIN user_role ON user_seq = seq WHERE role = $3 AND user_seq > $1'
const BY_ID = select('WHERE id = $1')
const LOOK = select('WHERE id = $1 FOR UPDATE')
const ALL = select('WHERE seq > $1 ORDER BY seq LIMIT $2')
const MATCHING = select('WHERE seq > $1 AND strpos(search, $3) > 0 ORDER BY seq LIMIT $2')
const WITH_ROLE = select(`${HOLDERS} ORDER BY user_seq LIMIT $2`)
const MATCHING_WITH_ROLE = select(`${HOLDERS} AND strpos(search, $4) > 0 ORDER BY user_seq LIMIT $2`)
const COUNT_WITH_ROLE = statement('SELECT count(*) FROM user_role WHERE role = $1')
const ACCOUNT_STATUS = rowStatement<AccountStatusRow>(
  `SELECT EXISTS (SELECT 1 FROM tombstone WHERE id = $1) AS deleted, roles, tokens_not_before
    FROM (SELECT 1) AS one LEFT JOIN user_account ON id = $1`,
)

export const postgresUserReader = (ask: Ask): UserReader => ({
  find: async (id) => {
    const [row] = await ask(BY_ID, id)
    return row && toUser(row)
  },
  accountStatus: async (subject) => {
    const [row] = await ask(ACCOUNT_STATUS, subject)
    return row && toAccountStatus(row)
  },
  list: async ({ after, limit, query, role }) => {
    const most = limit + 1
    const needle = query === undefined ? undefined : folded(query)
    const rows = () => {
      if (needle === undefined) return role === undefined ? ask(ALL, after, most) : ask(WITH_ROLE, after, most, role)
      return role === undefined
        ? ask(MATCHING, after, most, needle)
        : ask(MATCHING_WITH_ROLE, after, most, role, needle)
    }
    return pageOf(await rows(), { limit, by: ({ seq }) => seq }, toUser)
  },
  countWithRole: async (role) => (await ask<[count: number]>(COUNT_WITH_ROLE, role))[0]?.[0] ?? 0,
})

const COLUMNS = USER_VALUES.join(', ')
const ID = `$${USER_VALUES.length + 1}`
const EMAIL_KEY = `$${USER_VALUES.indexOf('email_key') + 1}`
const INSERT = rowStatement<Pick<UserRow, 'seq'>>(
  `INSERT INTO user_account (${COLUMNS}, id) VALUES (${placeholders(USER_VALUES.length + 1)})
    ON CONFLICT (email_key) DO NOTHING RETURNING seq`,
)
const UPDATE = rowStatement<Pick<UserRow, 'seq'>>(
  `UPDATE user_account SET (${COLUMNS}) = ROW (${placeholders(USER_VALUES.length)})
    WHERE id = ${ID} AND NOT EXISTS
      (SELECT 1 FROM user_account AS other WHERE other.email_key = ${EMAIL_KEY} AND other.id <> ${ID}) RETURNING seq`,
)
const ERASE = statement('DELETE FROM user_account WHERE id = $1')
const GRANT = statement(
  'INSERT INTO user_role (user_seq, role) SELECT $1::bigint, role FROM unnest($2::text[]) AS role',
)
const REVOKE_ALL = statement('DELETE FROM user_role WHERE user_seq = $1')

export const postgresUserStore = (unit: Transaction): UserStore => {
  const reader = postgresUserReader(unit.ask)
  const look = (id: string) => unit.firm(keyOf.user(id), LOOK, id)

  const save = async (user: User, known: boolean): Promise<number> => {
    try {
      const [row] = await unit.ask(known ? UPDATE : INSERT, ...valuesOf(USER_VALUES, userRow(user)), user.id)
      if (row === undefined) throw new EmailTaken()
      return row.seq
    } catch (error) {
      throw violates(error, 'user_account_email_key') ? new EmailTaken({ cause: error }) : error
    }
  }

  return {
    ...reader,
    find: async (id) => {
      const row = await look(id)
      return row && toUser(row)
    },
    accountStatus: async (subject) => {
      unit.lock(keyOf.user(subject))
      return await reader.accountStatus(subject)
    },
    countWithRole: async (role) => {
      unit.lock(keyOf.roles)
      return await reader.countWithRole(role)
    },
    put: async (user) => {
      const known = (await look(user.id)) !== undefined
      unit.lock(keyOf.roles)
      const seq = await save(user, known)
      if (known) unit.write(REVOKE_ALL, seq)
      if (user.roles.length > 0) unit.write(GRANT, seq, [...new Set(user.roles)])
    },
    erase: async (id) => {
      await look(id)
      unit.lock(keyOf.roles)
      unit.write(ERASE, id)
    },
  }
}
