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
import { type Cell, columnsOf, countedTable, json, mapping, type RowOf, table, text, valuesOf, whole } from './table.ts'

export const USER_ACCOUNT = countedTable('user_account', {
  seq: whole(),
  id: text<UserId>(),
  email: text(),
  email_key: text(),
  name: text(),
  roles: json<readonly string[]>(),
  terms: text(),
  created_at: whole(),
  updated_at: whole(),
  tokens_not_before: whole<number | null>(),
  suspended_at: whole<number | null>(),
  last_seen_at: whole<number | null>(),
  provisioned: json<User['provisioned']>(),
  user_name_key: text<string | null>(),
  external_id: text<string | null>(),
})

/** What users are looked for by. */
const SOUGHT = ['terms', 'user_name_key', 'external_id'] as const

export type UserRow = Omit<RowOf<typeof USER_ACCOUNT>, (typeof SOUGHT)[number]>

export const USER_COLUMNS = columnsOf(USER_ACCOUNT, ...SOUGHT).join(', ')
/** What a change of a user may change. */
export const USER_VALUES = columnsOf(USER_ACCOUNT, 'seq', 'id')

const PLAIN = mapping(USER_ACCOUNT, 'seq', ...SOUGHT)

export const toUser: (row: UserRow) => User = PLAIN.toRecord

const cellsOf = (user: User): Omit<RowOf<typeof USER_ACCOUNT>, 'seq'> => ({
  ...PLAIN.toRow(user),
  terms: JSON.stringify(userTerms(user)),
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
const provisionedOnes = ({ userName, emailKey, externalId, suspended }: ProvisionedFilter): Query => {
  const conditions = [
    ...(userName === undefined ? [] : [isCalled(userName, emailKey ?? null)]),
    ...(externalId === undefined ? [] : [isKnownAs(externalId)]),
    ...(suspended === undefined ? [] : [isSuspended(suspended)]),
  ]
  // All are counted the fastest where nothing is asked of them.
  return conditions.length === 0 ? { text: '', values: [] } : where(conditions)
}

// A name is one user's, and it may be the address of another.
const isCalled = (name: string, emailKey: string | null): Condition => [
  `(user_name_key = ? OR (user_name_key IS NULL AND email_key = ?
    AND NOT EXISTS (SELECT 1 FROM user_account AS named WHERE named.user_name_key = ?)))`,
  name,
  emailKey,
  name,
]
const isKnownAs = (id: string): Condition => ['(external_id = ? OR (user_name_key IS NULL AND id = ?))', id, id]

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
