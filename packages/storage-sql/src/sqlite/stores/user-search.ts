import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page, User, UserFilter, UserReader } from '@rollcall/core'
import { pageOf } from '../../tables/table.ts'
import { folded, toUser, USER_COLUMNS, type UserRow } from '../../tables/users.ts'
import type { Invoke } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'

/** Places: some two milliseconds' look. */
const STRETCH = 4_000

/**
 * The list of users, in which a text is looked for stretch by stretch: other requests are served between two of them.
 */
export const searchableUsers = (
  connection: Connection,
  invoke: Invoke,
  list: UserReader['list'],
): UserReader['list'] => {
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
    filter.query === undefined || filter.role !== undefined ? list(filter) : search(folded(filter.query), filter)
}
