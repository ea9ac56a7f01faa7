import {
  type AccountStatus,
  DAY,
  type InactiveFilter,
  inactivePlace,
  PLACES_PER_DAY,
  type ProvisionedFilter,
  type User,
  type UserFilter,
  type UserId,
  type UserReader,
  type UserStore,
  userNameKey,
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
import { type Cell, columnsOf, countedTable, type RowOf, table, text, valuesOf, whole } from './table.ts'

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
  last_seen_at: whole<number | null>(),
  provisioned: text<string | null>(),
  user_name_key: text<string | null>(),
  external_id: text<string | null>(),
})

/** Without what users are looked for by. */
export type UserRow = Omit<RowOf<typeof USER_ACCOUNT>, 'terms' | 'user_name_key' | 'external_id'>

export const USER_COLUMNS = columnsOf(USER_ACCOUNT, 'terms', 'user_name_key', 'external_id').join(', ')
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
  ...(row.last_seen_at === null ? {} : { lastSeenAt: row.last_seen_at }),
  ...(row.provisioned === null ? {} : { provisioned: JSON.parse(row.provisioned) }),
})

const cellsOf = (user: User): Omit<RowOf<typeof USER_ACCOUNT>, 'seq' | 'id'> => ({
  email: user.email,
  email_key: user.emailKey,
  name: user.name,
  roles: JSON.stringify(user.roles),
  terms: JSON.stringify(userTerms(user)),
  created_at: user.createdAt,
  updated_at: user.updatedAt,
  tokens_not_before: user.tokensNotBefore ?? null,
  suspended_at: user.suspendedAt ?? null,
  last_seen_at: user.lastSeenAt ?? null,
  provisioned: user.provisioned === undefined ? null : JSON.stringify(user.provisioned),
  user_name_key: user.provisioned === undefined ? null : userNameKey(user.provisioned.userName),
  external_id: user.provisioned?.externalId ?? null,
})

/** In the order of `USER_VALUES`. */
export const userValues = (user: User): Cell[] => valuesOf(USER_VALUES, cellsOf(user))

/** What decides whether tokens of a subject are taken; without a user, its columns are empty. */
interface AccountStatusRow {
  readonly deleted: number | boolean
  readonly revoked: number | boolean
  readonly version: number | null
  readonly roles: string | null
  readonly tokens_not_before: number | null
  readonly suspended_at: number | null
}

const toAccountStatus = (row: AccountStatusRow): AccountStatus => {
  const { deleted, revoked, version, roles, tokens_not_before, suspended_at } = row
  if (deleted) return 'deleted'
  if (revoked) return 'revoked'
  if (roles === null) return undefined
  if (suspended_at !== null) return 'suspended'
  return {
    roles: toRoles(roles),
    ...(version === null ? {} : { version }),
    ...(tokens_not_before === null ? {} : { tokensNotBefore: tokens_not_before }),
  }
}

/** A text for each question about an account status: equal questions have the same. */
export const statusKey = (subject: string, tokenId: string | undefined): string =>
  tokenId === undefined ? subject : `${subject.length} ${subject}${tokenId}`

/** From the JSON array that the roles are kept in. */
export const toRoles = (json: string): readonly string[] => JSON.parse(json)

export const USER_ROLE = table('user_role', 2, { role: text(), user_seq: whole() })

/** As `inactivePlace` has it, and the index on it. */
const INACTIVE_PLACE = `(coalesce(last_seen_at, created_at) / ${DAY} * ${PLACES_PER_DAY} + seq)`

/** That a user was seen on a day. */
export const NOTE_SEEN: Methods<Pick<UserStore, 'noteSeen'>> = {
  noteSeen: write(
    'UPDATE user_account SET last_seen_at = +? WHERE id = ? AND coalesce(last_seen_at, -1) < +?',
    (id: UserId, day: number) => [day, id, day],
  ),
}

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

const inactiveOf = ({ role, suspended, before, ...stretch }: InactiveFilter, most: number): Query => {
  const { text, values } = where([
    ...(role === undefined ? [] : [hasRole(role)]),
    ...(suspended === undefined ? [] : [isSuspended(suspended)]),
    [`${INACTIVE_PLACE} ${stretch.downwards ? '<' : '>'} +?`, stretch.after],
    [`${INACTIVE_PLACE} < +?`, inactivePlace({ createdAt: before }, 0)],
  ])
  return {
    text: `SELECT ${USER_COLUMNS}, ${INACTIVE_PLACE} AS place FROM user_account ${text}
      ${ordered(stretch, INACTIVE_PLACE)} LIMIT +?`,
    values: [...values, most],
  }
}

// Whom no directory provisions is known to one by address and id.
const provisionedOnes = ({ userName, externalId, suspended }: ProvisionedFilter): Query => {
  const conditions = [
    ...(userName === undefined ? [] : [knownBy('user_name_key', 'email_key', userName)]),
    ...(externalId === undefined ? [] : [knownBy('external_id', 'id', externalId)]),
    ...(suspended === undefined ? [] : [isSuspended(suspended)]),
  ]
  // All are counted the fastest where nothing is asked of them.
  return conditions.length === 0 ? { text: '', values: [] } : where(conditions)
}

const knownBy = (column: string, otherwise: string, value: string): Condition => [
  `(${column} = ? OR (user_name_key IS NULL AND ${otherwise} = ?))`,
  value,
  value,
]

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
      `SELECT known.deleted_at IS NOT NULL AS deleted, EXISTS (SELECT 1 FROM revoked_token WHERE jti = +?) AS revoked,
          known.version, stored.roles, stored.tokens_not_before, stored.suspended_at
        FROM (SELECT 1) AS one LEFT JOIN identity AS known ON known.id = +? LEFT JOIN user_account AS stored ON stored.id = +?`,
      (subject: string, tokenId?: string) => [tokenId ?? null, subject, subject],
      toAccountStatus,
    ),
    list: page(
      (filter) => queryOf(filter, 0).text,
      'seq',
      toUser,
      (filter, most) => queryOf(filter, most).values,
    ),
    listInactive: page(
      (filter) => inactiveOf(filter, 0).text,
      'place',
      (row: UserRow & { readonly place: number }) => toUser(row),
      (filter, most) => inactiveOf(filter, most).values,
    ),
    listProvisioned: all(
      (filter: ProvisionedFilter, _offset: number, _limit: number) =>
        `${USERS} ${provisionedOnes(filter).text} ORDER BY seq LIMIT +? OFFSET +?`,
      (filter: ProvisionedFilter, offset: number, limit: number) => [...provisionedOnes(filter).values, limit, offset],
      toUser,
    ),
    countProvisioned: first(
      (filter) => `SELECT count(*) AS count FROM user_account ${provisionedOnes(filter).text}`,
      (filter) => provisionedOnes(filter).values,
      (row: { count: number } | undefined) => row?.count ?? 0,
    ),
    countWithRole: first(
      `SELECT count(*) AS count FROM user_role JOIN user_account ON user_seq = seq
        WHERE role = ? AND suspended_at IS NULL`,
      (role) => [role],
      (row: { count: number } | undefined) => row?.count ?? 0,
    ),
  }
}
