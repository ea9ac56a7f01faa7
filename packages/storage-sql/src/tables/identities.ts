import type {
  HeldUser,
  HeldUserReader,
  HeldUserStore,
  Tombstone,
  TombstoneReader,
  TombstoneStore,
  UserId,
} from '@rollcall/core'
import { all, erasing, find, first, type Methods, write } from './methods.ts'
import { type Cell, columnsOf, excluded, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

/**
 * A row for each id that a user ever had: who changes the user locks it, and its version says that something changed.
 * From `deleted_at` on it is a tombstone; before that, this and what follows is NULL.
 */
export const IDENTITY = table('identity', 1, {
  id: text<UserId>(),
  version: whole(),
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

const CHANGED = 'version = identity.version + 1'

/** Before a user is stored: the id is its, and changed. No row is changed where the id was deleted. */
export const CLAIM_IDENTITY = `INSERT INTO identity (id) VALUES (?)
  ON CONFLICT (id) DO UPDATE SET ${CHANGED} WHERE identity.deleted_at IS NULL`

const COUNTS = ['users', 'roles', 'subscriptions', 'mails', 'tokens'] as const
const PLAIN = ['deleted_at', 'audit', 'erases_at', 'subscriptions_kept'] as const
const TOMBSTONE_PLAIN = mapping(IDENTITY, 'id', 'version', ...COUNTS)
const TOMBSTONE_COUNTS = mapping(IDENTITY, 'id', 'version', ...PLAIN)
export const TOMBSTONE_VALUES = ['id', ...TOMBSTONE_PLAIN.columns, ...TOMBSTONE_COUNTS.columns]
/** Of an id that was there before, deleted or not. */
export const BURIED = `ON CONFLICT (id) DO UPDATE SET ${excluded(TOMBSTONE_VALUES.slice(1))}, ${CHANGED}`
/** The id is that of a user again, as far as the row itself says. */
export const UNBURIED = `${TOMBSTONE_VALUES.slice(1)
  .map((column) => `${column} = NULL`)
  .join(', ')}, ${CHANGED}`

type TombstoneRow = Omit<RowOf<typeof IDENTITY>, 'version'>

const toTombstone = (row: TombstoneRow): Tombstone => ({
  ...TOMBSTONE_PLAIN.toRecord(row),
  erased: TOMBSTONE_COUNTS.toRecord(row),
})

/** In the order of `TOMBSTONE_VALUES`. */
const tombstoneValues = (id: UserId, tombstone: Tombstone): Cell[] => [
  id,
  ...TOMBSTONE_PLAIN.toValues(tombstone),
  ...TOMBSTONE_COUNTS.toValues(tombstone.erased),
]

const TOMBSTONES = `SELECT ${TOMBSTONE_VALUES.join(', ')} FROM identity WHERE deleted_at IS NOT NULL`

export const TOMBSTONE_READER: Methods<TombstoneReader> = {
  find: find(`${TOMBSTONES} AND id = ?`, (id) => [id], toTombstone),
  list: all(
    `${TOMBSTONES} AND id > ? ORDER BY id LIMIT +?`,
    ({ after = '', limit }) => [after, limit],
    (row: TombstoneRow) => ({ id: row.id, tombstone: toTombstone(row) }),
  ),
}

export const TOMBSTONE_STORE: Methods<TombstoneStore> = {
  ...TOMBSTONE_READER,
  put: write(`${insertInto('identity', TOMBSTONE_VALUES)} ${BURIED}`, tombstoneValues),
  has: first(
    `${TOMBSTONES} AND id = ?`,
    (id) => [id],
    (row: TombstoneRow | undefined) => row !== undefined,
  ),
  remove: write(`UPDATE identity SET ${UNBURIED} WHERE id = ?`, (id) => [id]),
}

export const HELD_USER = table('held_user', 1, {
  id: text<UserId>(),
  record: text(),
  deleted_at: whole(),
  erases_at: whole(),
  subscriptions: text<'keep' | 'erase'>(),
})

const HELD_COLUMNS = columnsOf(HELD_USER)
const HELD = mapping(HELD_USER, 'id', 'record')
const HELD_USERS = `SELECT ${HELD_COLUMNS.join(', ')} FROM held_user`

// The user goes in as it came out: nothing looks into it meanwhile.
const toHeldUser = (row: RowOf<typeof HELD_USER>): HeldUser => ({ user: JSON.parse(row.record), ...HELD.toRecord(row) })

export const HELD_USER_READER: Methods<HeldUserReader> = {
  find: find(`${HELD_USERS} WHERE id = ?`, (id) => [id], toHeldUser),
  list: all(`${HELD_USERS} WHERE id > ? ORDER BY id LIMIT +?`, ({ after = '', limit }) => [after, limit], toHeldUser),
}

export const HELD_USER_STORE: Methods<HeldUserStore> = {
  ...HELD_USER_READER,
  add: write(insertInto('held_user', HELD_COLUMNS), ({ user, ...held }) => [
    user.id,
    JSON.stringify(user),
    ...HELD.toValues(held),
  ]),
  remove: erasing(write('DELETE FROM held_user WHERE id = ?', (id) => [id])),
  due: all(
    `${HELD_USERS} WHERE erases_at <= ? ORDER BY erases_at, id LIMIT +?`,
    (now, limit) => [now, limit],
    toHeldUser,
  ),
}
