import {
  EmailTaken,
  type Page,
  type User,
  type UserFilter,
  type UserId,
  type UserRepository,
  userTerms,
} from '@rollcall/core'
import { type Sql, UniqueViolation } from '@rollcall/storage-sql/sqlite'

/** Our own table, in the file that Rollcall keeps its tables in. `department` is ours alone; Rollcall never sees it. */
export const STAFF_TABLE = `CREATE TABLE IF NOT EXISTS staff (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL UNIQUE,
  mail TEXT NOT NULL,
  mail_key TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  roles TEXT NOT NULL,
  department TEXT NOT NULL DEFAULT '',
  searchable TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  tokens_not_before INTEGER,
  suspended_at INTEGER
) STRICT`

interface StaffRow {
  readonly number: number
  readonly login: string
  readonly mail: string
  readonly mail_key: string
  readonly full_name: string
  readonly roles: string
  readonly created_at: number
  readonly updated_at: number
  readonly tokens_not_before: number | null
  readonly suspended_at: number | null
}

const toUser = (row: StaffRow): User => ({
  id: row.login as UserId,
  email: row.mail,
  emailKey: row.mail_key,
  name: row.full_name,
  roles: JSON.parse(row.roles),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.tokens_not_before === null ? {} : { tokensNotBefore: row.tokens_not_before }),
  ...(row.suspended_at === null ? {} : { suspendedAt: row.suspended_at }),
})

const HAS_ROLE = 'EXISTS (SELECT 1 FROM json_each(roles) WHERE value = ?)'

export class StaffRepository implements UserRepository {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async find(id: UserId): Promise<User | undefined> {
    const [row] = await this.#sql.all<StaffRow>('SELECT * FROM staff WHERE login = ?', id)
    return row && toUser(row)
  }

  async list({ after, limit, words = [], role, suspended, downwards }: UserFilter): Promise<Page<User>> {
    const conditions = [downwards ? 'number < ?' : 'number > ?']
    const values: (string | number)[] = [after]
    // Each of the words begins one of the terms, which are quoted there.
    for (const word of words) {
      conditions.push('instr(searchable, ?)')
      values.push(`"${word}`)
    }
    if (role !== undefined) {
      conditions.push(HAS_ROLE)
      values.push(role)
    }
    if (suspended !== undefined) conditions.push(`suspended_at IS ${suspended ? 'NOT NULL' : 'NULL'}`)
    // One more than asked for tells whether the list goes on.
    const rows = await this.#sql.all<StaffRow>(
      `SELECT * FROM staff WHERE ${conditions.join(' AND ')} ORDER BY number ${downwards ? 'DESC' : 'ASC'} LIMIT ?`,
      ...values,
      limit + 1,
    )
    const shown = rows.slice(0, limit)
    return { items: shown.map(toUser), next: rows.length > limit ? shown.at(-1)?.number : undefined }
  }

  async countWithRole(role: string): Promise<number> {
    const [row] = await this.#sql.all<{ count: number }>(`SELECT count(*) AS count FROM staff WHERE ${HAS_ROLE}`, role)
    return row?.count ?? 0
  }

  async put(user: User): Promise<void> {
    const { id, email, emailKey, name, roles, createdAt, updatedAt } = user
    const { tokensNotBefore = null, suspendedAt = null } = user
    const searchable = JSON.stringify(userTerms(user))
    try {
      await this.#sql.run(
        `INSERT INTO staff (login, mail, mail_key, full_name, roles, searchable, created_at, updated_at,
          tokens_not_before, suspended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (login) DO UPDATE SET (mail, mail_key, full_name, roles, searchable, created_at, updated_at,
            tokens_not_before, suspended_at) = (excluded.mail, excluded.mail_key, excluded.full_name, excluded.roles,
            excluded.searchable, excluded.created_at, excluded.updated_at, excluded.tokens_not_before, excluded.suspended_at)`,
        ...[
          id,
          email,
          emailKey,
          name,
          JSON.stringify(roles),
          searchable,
          createdAt,
          updatedAt,
          tokensNotBefore,
          suspendedAt,
        ],
      )
    } catch (error) {
      throw error instanceof UniqueViolation ? new EmailTaken({ cause: error }) : error
    }
  }

  async erase(id: UserId): Promise<void> {
    await this.#sql.run('DELETE FROM staff WHERE login = ?', id)
  }
}
