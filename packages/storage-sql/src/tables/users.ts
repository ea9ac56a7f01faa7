import {
  type AccountStatus,
  type HeldUser,
  type HeldUserStore,
  type Tombstone,
  type TombstoneReader,
  type TombstoneStore,
  type User,
  type UserFilter,
  type UserId,
  type UserReader,
  userTerms,
} from '@rollcall/core'
import {
  type Condition,
  countUpToFew,
  type Dialect,
  foundByTerm,
  ordered,
  type Query,
  type Search,
  sought,
  where,
} from './finding.ts'
import { all, find, first, type Methods, page, write } from './methods.ts'
import {
  type Cell,
  columnsOf,
  countedTable,
  excluded,
  insertInto,
  mapping,
  type RowOf,
  table,
  text,
  valuesOf,
  whole,
} from './table.ts'

export const USER_ACCOUNT = countedTable('user_account', {
  seq: whole(),
  id: text<UserId>(),
  email: text(),
  email_key: text(),
  name: text(),
  roles: text(),
  terms: text(),
  created_at: whole(),
  updated_at: whole(),
  tokens_not_before: whole<number | null>(),
  suspended_at: whole<number | null>(),
})

/** Without what a search looks through. */
export type UserRow = Omit<RowOf<typeof USER_ACCOUNT>, 'terms'>

export const USER_COLUMNS = columnsOf(USER_ACCOUNT, 'terms').join(', ')
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
  ...(row.suspended_at === null ? {} : { suspendedAt: row.suspended_at }),
})

/** In the order of `USER_VALUES`. */
export const userValues = (user: User): Cell[] => [
  user.email,
  user.emailKey,
  user.name,
  JSON.stringify(user.roles),
  JSON.stringify(userTerms(user)),
  user.createdAt,
  user.updatedAt,
  user.tokensNotBefore ?? null,
  user.suspendedAt ?? null,
]

/** What decides whether tokens of a subject are taken; without a user, its columns are empty. */
interface AccountStatusRow {
  readonly deleted: number | boolean
  readonly revoked: number | boolean
  readonly roles: string | null
  readonly tokens_not_before: number | null
  readonly suspended_at: number | null
}

const toAccountStatus = (row: AccountStatusRow): AccountStatus => {
  const { deleted, revoked, roles, tokens_not_before, suspended_at } = row
  if (deleted) return 'deleted'
  if (revoked) return 'revoked'
  if (roles === null) return undefined
  if (suspended_at !== null) return 'suspended'
  const accountStatus = { roles: toRoles(roles) }
  return tokens_not_before === null ? accountStatus : { ...accountStatus, tokensNotBefore: tokens_not_before }
}

/** A text for each question about an account status: equal questions have the same. */
export const statusKey = (subject: string, tokenId: string | undefined): string =>
  tokenId === undefined ? subject : `${subject.length} ${subject}${tokenId}`

/** From the JSON array that the roles are kept in. */
export const toRoles = (json: string): readonly string[] => JSON.parse(json)

export const USER_ROLE = table('user_role', 2, { role: text(), user_seq: whole() })

const USERS = `SELECT ${USER_COLUMNS} FROM user_account`

const holds = (role: string): Condition => ['role = +?', role]
const hasRole = (role: string): Condition => [
  'EXISTS (SELECT 1 FROM user_role WHERE role = +? AND user_seq = seq)',
  role,
]
const isSuspended = (suspended: boolean): Condition => [`suspended_at IS ${suspended ? 'NOT NULL' : 'NULL'}`]

/** How many rows a list of these has. */
export const COUNT_OF_USERS = countUpToFew(({ role, suspended }: UserFilter & Search) => {
  if (role !== undefined) return ['user_role', ['role >= ? AND role <= ?', role, role]] as const
  return ['user_account', suspended ? isSuspended(true) : ['email_key > ?', '']] as const
})

export const userReader = (dialect: Dialect): Methods<UserReader> => {
  const queryOf = (search: UserFilter & Search, most: number): Query => {
    const { role, suspended, byTerm } = search
    const found = byTerm ? foundByTerm(dialect, 'user_account', search) : undefined
    const holders = role !== undefined && found === undefined
    const place = holders ? 'user_seq' : 'seq'
    const { text, values } = where([
      ...(found?.conditions ?? []),
      ...(holders ? [holds(role)] : []),
      ...(role === undefined || holders ? [] : [hasRole(role)]),
      ...(suspended === undefined ? [] : [isSuspended(suspended)]),
      ...sought(dialect, search, found === undefined ? place : '+seq'),
    ])
    const from = found?.from ?? (holders ? 'user_account JOIN user_role ON user_seq = seq' : 'user_account')
    const order = ordered(search, found !== undefined && dialect === 'postgres' ? 'place' : place)
    return {
      text: `SELECT ${USER_COLUMNS} FROM ${from} ${text} ${order} LIMIT +?`,
      values: [...(found?.values ?? []), ...values, most],
    }
  }
  return {
    find: find(`${USERS} WHERE id = ?`, (id) => [id], toUser),
    withEmail: find(`${USERS} WHERE email_key = ?`, (emailKey: string) => [emailKey], toUser),
    accountStatus: find(
      `SELECT EXISTS (SELECT 1 FROM tombstone WHERE id = +?) AS deleted,
          EXISTS (SELECT 1 FROM revoked_token WHERE jti = +?) AS revoked, roles, tokens_not_before, suspended_at
        FROM (SELECT 1) AS one LEFT JOIN user_account ON id = +?`,
      (subject: string, tokenId?: string) => [subject, tokenId ?? null, subject],
      toAccountStatus,
    ),
    list: page(
      (filter) => queryOf(filter, 0).text,
      'seq',
      toUser,
      (filter, most) => queryOf(filter, most).values,
    ),
    countWithRole: first(
      `SELECT count(*) AS count FROM user_role JOIN user_account ON user_seq = seq
        WHERE role = ? AND suspended_at IS NULL`,
      (role) => [role],
      (row: { count: number } | undefined) => row?.count ?? 0,
    ),
  }
}

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
  tokens: whole(),
})

const COUNTS = ['users', 'roles', 'subscriptions', 'mails', 'tokens'] as const
const TOMBSTONE_PLAIN = mapping(TOMBSTONE, 'id', ...COUNTS)
export const TOMBSTONE_VALUES = ['id', ...TOMBSTONE_PLAIN.columns, ...COUNTS]

export type TombstoneRow = RowOf<typeof TOMBSTONE>

export const toTombstone = (row: TombstoneRow): Tombstone => ({
  ...TOMBSTONE_PLAIN.toRecord(row),
  erased: {
    users: row.users,
    roles: row.roles,
    subscriptions: row.subscriptions,
    mails: row.mails,
    tokens: row.tokens,
  },
})

/** In the order of `TOMBSTONE_VALUES`. */
export const tombstoneValues = (id: UserId, tombstone: Tombstone): Cell[] => [
  id,
  ...TOMBSTONE_PLAIN.toValues(tombstone),
  ...valuesOf(COUNTS, tombstone.erased),
]

const TOMBSTONES = `SELECT ${TOMBSTONE_VALUES.join(', ')} FROM tombstone`

export const TOMBSTONE_READER: Methods<TombstoneReader> = {
  find: find(`${TOMBSTONES} WHERE id = ?`, (id) => [id], toTombstone),
  list: all(
    `${TOMBSTONES} WHERE id > ? ORDER BY id LIMIT +?`,
    ({ after = '', limit }) => [after, limit],
    (row: TombstoneRow) => ({ id: row.id, tombstone: toTombstone(row) }),
  ),
}

export const TOMBSTONE_STORE: Methods<TombstoneStore> = {
  ...TOMBSTONE_READER,
  put: write(
    `${insertInto('tombstone', TOMBSTONE_VALUES)} ON CONFLICT (id) DO UPDATE SET ${excluded(TOMBSTONE_VALUES.slice(1))}`,
    tombstoneValues,
  ),
  has: first(
    `${TOMBSTONES} WHERE id = ?`,
    (id) => [id],
    (row: TombstoneRow | undefined) => row !== undefined,
  ),
  remove: write('DELETE FROM tombstone WHERE id = ?', (id) => [id]),
}

export const HELD_USER = table('held_user', 1, {
  id: text<UserId>(),
  record: text(),
  deleted_at: whole(),
  erases_at: whole(),
  subscriptions: text<'keep' | 'erase'>(),
})

export const HELD_VALUES = columnsOf(HELD_USER)
const HELD_USERS = `SELECT ${HELD_VALUES.join(', ')} FROM held_user`

/** In the order of `HELD_VALUES`. The user goes in as it came out: nothing looks into it meanwhile. */
export const heldValues = ({ user, deletedAt, erasesAt, subscriptions }: HeldUser): Cell[] => [
  user.id,
  JSON.stringify(user),
  deletedAt,
  erasesAt,
  subscriptions,
]

const toHeldUser = (row: RowOf<typeof HELD_USER>): HeldUser => ({
  user: JSON.parse(row.record),
  deletedAt: row.deleted_at,
  erasesAt: row.erases_at,
  subscriptions: row.subscriptions,
})

export const HELD_USER_STORE: Methods<HeldUserStore> = {
  add: write(insertInto('held_user', HELD_VALUES), heldValues),
  find: find(`${HELD_USERS} WHERE id = ?`, (id) => [id], toHeldUser),
  remove: write('DELETE FROM held_user WHERE id = ?', (id) => [id]),
  due: all(
    `${HELD_USERS} WHERE erases_at <= ? ORDER BY erases_at, id LIMIT +?`,
    (now, limit) => [now, limit],
    toHeldUser,
  ),
}
