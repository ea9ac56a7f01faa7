import { EmailTaken, type Standing, type User, type UserReader, type UserStore } from '@rollcall/core'
import { pageOf } from '../../rows/page-of.ts'
import { folded, searchText, toRoles, toUser, USER_COLUMNS, type UserRow } from '../../rows/user-row.ts'
import { keyOf } from '../lock-keys.ts'
import { violates } from '../postgres-error.ts'
import { type Ask, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const select = (rest: string) => statement(`SELECT ${USER_COLUMNS} FROM user_account ${rest}`)
const HOLDERS = 'JOIN user_role ON user_seq = seq WHERE role = $3 AND user_seq > $1'
const BY_ID = select('WHERE id = $1')
const LOOK = select('WHERE id = $1 FOR UPDATE')
const ALL = select('WHERE seq > $1 ORDER BY seq LIMIT $2')
const MATCHING = select('WHERE seq > $1 AND strpos(search, $3) > 0 ORDER BY seq LIMIT $2')
const WITH_ROLE = select(`${HOLDERS} ORDER BY user_seq LIMIT $2`)
const MATCHING_WITH_ROLE = select(`${HOLDERS} AND strpos(search, $4) > 0 ORDER BY user_seq LIMIT $2`)
const COUNT_WITH_ROLE = statement('SELECT count(*) FROM user_role WHERE role = $1')
const STANDING = statement(
  `SELECT EXISTS (SELECT 1 FROM tombstone WHERE id = $1), roles, tokens_not_before
    FROM (SELECT 1) AS one LEFT JOIN user_account ON id = $1`,
)

type StandingRow = [deleted: boolean, roles: string | null, tokensNotBefore: number | null]

export const postgresUserReader = (ask: Ask): UserReader => ({
  find: async (id) => {
    const [row] = await ask<UserRow>(BY_ID, id)
    return row && toUser(row)
  },
  standing: async (subject): Promise<Standing> => {
    const [[deleted, roles = null, tokensNotBefore = null] = [false]] = await ask<StandingRow>(STANDING, subject)
    if (deleted) return 'deleted'
    if (roles === null) return undefined
    return tokensNotBefore === null ? { roles: toRoles(roles) } : { roles: toRoles(roles), tokensNotBefore }
  },
  list: async ({ after, limit, query, role }) => {
    const most = limit + 1
    const needle = query === undefined ? undefined : folded(query)
    const rows = () => {
      if (needle === undefined)
        return role === undefined ? ask<UserRow>(ALL, after, most) : ask<UserRow>(WITH_ROLE, after, most, role)
      return role === undefined
        ? ask<UserRow>(MATCHING, after, most, needle)
        : ask<UserRow>(MATCHING_WITH_ROLE, after, most, role, needle)
    }
    return pageOf(await rows(), limit, toUser)
  },
  countWithRole: async (role) => (await ask<[count: number]>(COUNT_WITH_ROLE, role))[0]?.[0] ?? 0,
})

const COLUMNS = 'email, email_key, name, roles, search, created_at, updated_at, tokens_not_before'
const INSERT = statement(
  `INSERT INTO user_account (id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (email_key) DO NOTHING RETURNING seq`,
)
const UPDATE = statement(
  `UPDATE user_account SET (${COLUMNS}) = ROW ($2, $3, $4, $5, $6, $7, $8, $9) WHERE id = $1 AND NOT EXISTS
    (SELECT 1 FROM user_account AS other WHERE other.email_key = $3 AND other.id <> $1) RETURNING seq`,
)
const ERASE = statement('DELETE FROM user_account WHERE id = $1')
const GRANT = statement(
  'INSERT INTO user_role (user_seq, role) SELECT $1::bigint, role FROM unnest($2::text[]) AS role',
)
const REVOKE_ALL = statement('DELETE FROM user_role WHERE user_seq = $1')

export const postgresUserStore = (unit: Transaction): UserStore => {
  const reader = postgresUserReader(unit.ask)
  const look = (id: string) => unit.firm<UserRow>(keyOf.user(id), LOOK, id)

  const save = async (user: User, known: boolean): Promise<number> => {
    const { id, email, emailKey, name, roles, createdAt, updatedAt, tokensNotBefore = null } = user
    const head = [id, email, emailKey, name, JSON.stringify(roles), searchText(user)] as const
    try {
      const [row] = await unit.ask<[seq: number]>(
        known ? UPDATE : INSERT,
        ...head,
        createdAt,
        updatedAt,
        tokensNotBefore,
      )
      if (row === undefined) throw new EmailTaken()
      return row[0]
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
    standing: async (subject) => {
      unit.lock(keyOf.user(subject))
      return await reader.standing(subject)
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
