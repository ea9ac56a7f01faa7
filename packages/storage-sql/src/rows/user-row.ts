import type { User, UserId } from '@rollcall/core'

export const USER_COLUMNS = 'seq, id, email, email_key, name, roles, created_at, updated_at, tokens_not_before'

export type UserRow = [
  seq: number,
  id: string,
  email: string,
  emailKey: string,
  name: string,
  roles: string,
  createdAt: number,
  updatedAt: number,
  tokensNotBefore: number | null,
]

export const toUser = (row: UserRow): User => ({
  id: row[1] as UserId,
  email: row[2],
  emailKey: row[3],
  name: row[4],
  roles: toRoles(row[5]),
  createdAt: row[6],
  updatedAt: row[7],
  ...(row[8] === null ? {} : { tokensNotBefore: row[8] }),
})

/** From the JSON array that the roles are kept in. */
export const toRoles = (json: string): readonly string[] => JSON.parse(json)

/** Case is folded here and not in SQL, because SQLite knows only ASCII's. */
export const folded = (text: string): string => text.toLowerCase()

/** What a search looks through. No name or address contains a line break, so no match spans two of them. */
export const searchText = ({ id, name, email }: User): string => `${folded(id)}\n${folded(name)}\n${folded(email)}`
