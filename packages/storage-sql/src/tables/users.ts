import type { AccountStatus, HeldUser, OwnedTombstone, Tombstone, User, UserId } from '@rollcall/core'
import { columnsOf, counted, type RowOf, table, text, whole } from './table.ts'

export const USER_ACCOUNT = counted(
  table('user_account', 1, {
    seq: whole(),
    id: text<UserId>(),
    email: text(),
    email_key: text(),
    name: text(),
    roles: text(),
    search: text(),
    created_at: whole(),
    updated_at: whole(),
    tokens_not_before: whole<number | null>(),
  }),
)

/** Without what a search looks through. */
export type UserRow = Omit<RowOf<typeof USER_ACCOUNT>, 'search'>

export const USER_COLUMNS = columnsOf(USER_ACCOUNT, 'search').join(', ')
/** What a change of a user may change. */
export const USER_VALUES = columnsOf(USER_ACCOUNT, 'seq', 'id')

export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  emailKey: row.email_key,
  name: row.name,
  roles: toRoles(row.roles),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.tokens_not_before === null ? {} : { tokensNotBefore: row.tokens_not_before }),
})

export const userRow = (user: User): Omit<RowOf<typeof USER_ACCOUNT>, 'seq'> => ({
  id: user.id,
  email: user.email,
  email_key: user.emailKey,
  name: user.name,
  roles: JSON.stringify(user.roles),
  search: searchText(user),
  created_at: user.createdAt,
  updated_at: user.updatedAt,
  tokens_not_before: user.tokensNotBefore ?? null,
})

/** What decides whether tokens of a subject are taken; without a user, its columns are empty. */
export interface AccountStatusRow {
  readonly deleted: number | boolean
  readonly roles: string | null
  readonly tokens_not_before: number | null
}

export const toAccountStatus = ({ deleted, roles, tokens_not_before }: AccountStatusRow): AccountStatus => {
  if (deleted) return 'deleted'
  if (roles === null) return undefined
  const accountStatus = { roles: toRoles(roles) }
  return tokens_not_before === null ? accountStatus : { ...accountStatus, tokensNotBefore: tokens_not_before }
}

/** From the JSON array that the roles are kept in. */
export const toRoles = (json: string): readonly string[] => JSON.parse(json)

/** Case is folded here and not in SQL, because SQLite knows only ASCII's. */
export const folded = (text: string): string => text.toLowerCase()

// No name or address contains a line break, so no match spans two of them.
const searchText = ({ id, name, email }: User): string => `${folded(id)}\n${folded(name)}\n${folded(email)}`

export const USER_ROLE = table('user_role', 2, { role: text(), user_seq: whole() })

export const TOMBSTONE = table('tombstone', 1, {
  id: text<UserId>(),
  deleted_at: whole(),
  audit: whole(),
  erases_at: whole<number | null>(),
  users: whole(),
  roles: whole(),
  subscriptions: whole(),
  mails: whole(),
  subscriptions_kept: whole(),
})

export type TombstoneRow = RowOf<typeof TOMBSTONE>

export const TOMBSTONE_VALUES = columnsOf(TOMBSTONE)
export const TOMBSTONE_COLUMNS = TOMBSTONE_VALUES.join(', ')

export const toTombstone = (row: TombstoneRow): Tombstone => ({
  deletedAt: row.deleted_at,
  audit: row.audit,
  erasesAt: row.erases_at ?? undefined,
  erased: { users: row.users, roles: row.roles, subscriptions: row.subscriptions, mails: row.mails },
  subscriptionsKept: row.subscriptions_kept,
})

export const toOwnedTombstone = (row: TombstoneRow): OwnedTombstone => ({ id: row.id, tombstone: toTombstone(row) })

export const tombstoneRow = (id: UserId, { erased, ...tombstone }: Tombstone): TombstoneRow => ({
  id,
  deleted_at: tombstone.deletedAt,
  audit: tombstone.audit,
  erases_at: tombstone.erasesAt ?? null,
  users: erased.users,
  roles: erased.roles,
  subscriptions: erased.subscriptions,
  mails: erased.mails,
  subscriptions_kept: tombstone.subscriptionsKept,
})

export const HELD_USER = table('held_user', 1, {
  id: text<UserId>(),
  record: text(),
  deleted_at: whole(),
  erases_at: whole(),
  subscriptions: text<'keep' | 'erase'>(),
})

export type HeldUserRow = RowOf<typeof HELD_USER>

export const HELD_USER_VALUES = columnsOf(HELD_USER)
export const HELD_USER_COLUMNS = HELD_USER_VALUES.join(', ')

export const toHeldUser = (row: HeldUserRow): HeldUser => ({
  user: JSON.parse(row.record),
  deletedAt: row.deleted_at,
  erasesAt: row.erases_at,
  subscriptions: row.subscriptions,
})

/** The user goes in as it came out: nothing looks into it meanwhile. */
export const heldUserRow = ({ user, deletedAt, erasesAt, subscriptions }: HeldUser): HeldUserRow => ({
  id: user.id,
  record: JSON.stringify(user),
  deleted_at: deletedAt,
  erases_at: erasesAt,
  subscriptions,
})
