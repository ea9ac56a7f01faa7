import { TOMBSTONE_VALUES, UNBURIED } from '../../tables/identities.ts'
import { columnsOf } from '../../tables/table.ts'
import { USER_ACCOUNT, USER_COLUMNS } from '../../tables/users.ts'

// Statements that bring into a backup what became of users in the database that it replaces.

const ACCOUNT = columnsOf(USER_ACCOUNT, 'seq').join(', ')
const BACK = 'IN (SELECT id FROM user_account)'

/** Who was held in the backup and restored since is not erased when that grace is over; unless the address is taken there. */
export const RESTORED = [
  `INSERT OR IGNORE INTO user_account (${ACCOUNT}) SELECT ${ACCOUNT} FROM replaced.user_account
    WHERE id IN (SELECT id FROM main.held_user)`,
  `INSERT OR IGNORE INTO user_role SELECT r.role, m.seq FROM user_account AS m JOIN held_user AS h ON h.id = m.id
    JOIN replaced.user_account AS u ON u.id = m.id JOIN replaced.user_role AS r ON r.user_seq = u.seq`,
  `UPDATE identity SET ${UNBURIED} WHERE id IN (SELECT id FROM held_user) AND id ${BACK}`,
  `DELETE FROM held_user WHERE id ${BACK}`,
]

/**
 * Who was suspended since stays so, and who was resumed since must be resumed again. Tokens that are refused stay so. Who
 * was seen since is not taken for inactive.
 */
export const ACCESS = [
  `UPDATE user_account SET suspended_at = r.suspended_at FROM replaced.user_account AS r
    WHERE r.id = user_account.id AND r.suspended_at IS NOT NULL AND user_account.suspended_at IS NULL`,
  `UPDATE user_account SET tokens_not_before = r.tokens_not_before FROM replaced.user_account AS r
    WHERE r.id = user_account.id AND r.tokens_not_before > coalesce(user_account.tokens_not_before, 0)`,
  `UPDATE user_account SET last_seen_at = r.last_seen_at FROM replaced.user_account AS r
    WHERE r.id = user_account.id AND r.last_seen_at > coalesce(user_account.last_seen_at, 0)`,
]

const GONE = 'FROM replaced.identity WHERE deleted_at IS NOT NULL'

/**
 * Whose access was taken since, of those whom the backup does not know: without a row, the roles in their tokens would
 * count.
 */
export const LIMITED_SINCE = `SELECT ${USER_COLUMNS} FROM replaced.user_account
  WHERE coalesce(suspended_at, tokens_not_before) IS NOT NULL
    AND id NOT IN (SELECT id FROM main.user_account UNION ALL SELECT id FROM main.held_user UNION ALL SELECT id ${GONE})`

export const DELETED = `SELECT id FROM user_account WHERE id IN (SELECT id ${GONE})`
export const ERASED_WHILE_HELD = `SELECT id FROM held_user WHERE id IN (SELECT id ${GONE} AND erases_at IS NULL)`

/**
 * What stays of who was deleted since.
 * @param record the id of the record that says who did it, if the trail is another; else id and time are of one record
 */
export const buried = (record?: string): string => {
  const kept = ['subscriptions_kept', ...(record === undefined ? [] : ['audit', 'deleted_at'])]
  const set = TOMBSTONE_VALUES.slice(1).map((column) =>
    kept.includes(column)
      ? `${column} = coalesce(identity.${column}, excluded.${column})`
      : `${column} = excluded.${column}`,
  )
  return `INSERT INTO identity (${TOMBSTONE_VALUES.join(', ')})
    SELECT ${TOMBSTONE_VALUES.map((column) => (column === 'audit' ? (record ?? column) : column)).join(', ')} ${GONE}
    ON CONFLICT (id) DO UPDATE SET ${set.join(', ')}, version = identity.version + 1`
}
