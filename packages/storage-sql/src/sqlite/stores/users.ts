import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type AccountStatus,
  EmailTaken,
  type HeldUserStore,
  type Page,
  type User,
  type UserFilter,
  type UserReader,
  type UserStore,
} from '@rollcall/core'
import { insertInto, pageOf } from '../../tables/table.ts'
import {
  folded,
  HELD_USER_STORE,
  statusKey,
  toRoles,
  toUser,
  USER_COLUMNS,
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

/** What account statuses are looked up with, for every request with a token. */
export interface StatusLookUp {
  /** How many transactions this process has committed. */
  readonly ownCommits: () => number
  /** Does not wait for the disk: a status is not shown, and a deletion or demotion takes effect the sooner. */
  readonly peek: Invoke
}

export const sqliteUserReader = (
  connection: Connection,
  invoke: Invoke,
  { ownCommits, peek }: StatusLookUp,
): UserReader => {
  const synchronous = sqliteReader(userReader('instr'), connection)
  const accountStatus = rememberedAccountStatuses(connection, synchronous.accountStatus, ownCommits)
  const users = asynchronous<UserReader>(synchronous, invoke)
  const statuses = asynchronous<Pick<UserReader, 'accountStatus'>>({ accountStatus }, peek)
  return { ...users, ...statuses, list: searchableUsers(connection, invoke, users.list) }
}

/** Places: some two milliseconds' look. */
const STRETCH = 4_000

/**
 * The list of users, in which a text is looked for stretch by stretch: other requests are served between two of them.
 */
const searchableUsers = (connection: Connection, invoke: Invoke, list: UserReader['list']): UserReader['list'] => {
  const matching = connection.prepare<[number, number, string, number], UserRow>(
    `SELECT ${USER_COLUMNS} FROM user_account WHERE seq > ? AND seq <= ? AND instr(search, ?) ORDER BY seq LIMIT +?`,
  )
  const newest = connection.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM user_account').pluck()
  const search = async (needle: string, { after, limit }: UserFilter): Promise<Page<User>> => {
    const rows: UserRow[] = []
    const end = (await invoke(() => newest.get())) ?? 0
    for (let from = after; from < end && rows.length <= limit; from += STRETCH) {
      if (from > after) await nextTurn()
      rows.push(...(await invoke(() => matching.all(from, from + STRETCH, needle, limit + 1 - rows.length))))
    }
    return pageOf(rows, { limit, by: ({ seq }) => seq }, toUser)
  }
  return (filter) =>
    filter.query === undefined || filter.role !== undefined || filter.suspended !== undefined
      ? list(filter)
      : search(folded(filter.query), filter)
}

const MOST_REMEMBERED = 2_000

/**
 * What was looked up stays true until the next commit. This process knows each of its own commits at once;
 * SQLite is asked about those of others once in a turn of the event loop, which is over long before another process can
 * have said that it is done. Every request with a token asks for an account status; hardly any changes one.
 */
const rememberedAccountStatuses = (
  connection: Connection,
  lookUp: (subject: string, tokenId: string | undefined) => AccountStatus,
  ownCommits: () => number,
): ((subject: string, tokenId?: string) => AccountStatus) => {
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const known = new Map<string, AccountStatus>()
  let knownAt = -1
  let othersAt: number | undefined
  let asked = false
  const forget = (): void => {
    asked = false
  }
  const isOutdated = (): boolean => {
    const own = ownCommits()
    if (asked && own === knownAt) return false
    const others = version.get()
    const outdated = own !== knownAt || others !== othersAt
    knownAt = own
    othersAt = others
    if (!asked) setImmediate(forget)
    asked = true
    return outdated
  }
  return (subject, tokenId) => {
    if (isOutdated() || known.size >= MOST_REMEMBERED) known.clear()
    const key = statusKey(subject, tokenId)
    const remembered = known.get(key)
    if (remembered !== undefined || known.has(key)) return remembered
    const accountStatus = lookUp(subject, tokenId)
    known.set(key, accountStatus)
    return accountStatus
  }
}

/** Where a user is, and its roles as they are kept. */
type Place = Pick<UserRow, 'seq' | 'roles'>

export const sqliteUserStore = (writer: Writer): Synchronous<UserStore> => {
  const { connection } = writer
  const place = connection.prepare<[string], Place>('SELECT seq, roles FROM user_account WHERE id = ?')
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
      throw violates(error, 'user_account.email_key') ? new EmailTaken({ cause: error }) : error
    }
  }

  return {
    ...sqliteStore(userReader('instr'), writer),
    put: (user) => {
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

export const sqliteHeldUserStore = (writer: Writer): Synchronous<HeldUserStore> => {
  const remove = writer.connection.prepare('DELETE FROM held_user WHERE id = ?')
  const noteErasure = writer.connection.prepare(NOTE_ERASURE)
  return {
    ...sqliteStore(HELD_USER_STORE, writer),
    remove: (id) => {
      if (writer.write(remove, id).changes > 0) writer.write(noteErasure)
    },
  }
}
