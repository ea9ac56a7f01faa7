import type { UserId } from '@rollcall/core'
import { ACCESS_TOKEN } from '../../tables/access-tokens.ts'
import { columnsOf } from '../../tables/table.ts'
import { pluck } from '../connection.ts'
import { givenOut, type Lineage } from './lineage.ts'
import { addressOf, type OpenDraft } from './withdraw.ts'
import { forgetRequests } from './withdrawn-requests.ts'

const ACCOUNT = 'id, email, email_key, name, roles, search, created_at, updated_at, tokens_not_before, suspended_at'
const BACK = 'IN (SELECT id FROM user_account)'

/** Who was held in the backup and restored since is not erased when that grace is over; unless the address is taken there. */
const RESTORED = [
  `INSERT OR IGNORE INTO user_account (${ACCOUNT}) SELECT ${ACCOUNT} FROM replaced.user_account
    WHERE id IN (SELECT id FROM main.held_user)`,
  `INSERT OR IGNORE INTO user_role SELECT r.role, m.seq FROM user_account AS m JOIN held_user AS h ON h.id = m.id
    JOIN replaced.user_account AS u ON u.id = m.id JOIN replaced.user_role AS r ON r.user_seq = u.seq`,
  `DELETE FROM tombstone WHERE id IN (SELECT id FROM held_user) AND id ${BACK}`,
  `DELETE FROM held_user WHERE id ${BACK}`,
]

/** Who was suspended since stays so, and who was resumed since must be resumed again. Tokens that are refused stay so. */
const WITHOUT_ACCESS = [
  `UPDATE user_account SET suspended_at = r.suspended_at FROM replaced.user_account AS r
    WHERE r.id = user_account.id AND r.suspended_at IS NOT NULL AND user_account.suspended_at IS NULL`,
  `UPDATE user_account SET tokens_not_before = r.tokens_not_before FROM replaced.user_account AS r
    WHERE r.id = user_account.id AND r.tokens_not_before > coalesce(user_account.tokens_not_before, 0)`,
]

const DELETED = 'SELECT id FROM user_account WHERE id IN (SELECT id FROM replaced.tombstone)'
const ERASED_WHILE_HELD =
  'SELECT id FROM held_user WHERE id IN (SELECT id FROM replaced.tombstone WHERE erases_at IS NULL)'

const TOKEN = columnsOf(ACCESS_TOKEN, 'seq').join(', ')

/** What was refused stays refused. What was issued since is listed, as far as its user is there. */
const TOKENS = [
  `INSERT INTO revoked_token SELECT * FROM replaced.revoked_token WHERE true
    ON CONFLICT (jti) DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at`,
  `INSERT OR IGNORE INTO access_token (${TOKEN}) SELECT ${TOKEN} FROM replaced.access_token ORDER BY seq`,
  `UPDATE access_token SET last_used_at = r.last_used_at, revoked_at = r.revoked_at
    FROM replaced.access_token AS r WHERE r.jti = access_token.jti`,
  'DELETE FROM access_token WHERE subject IN (SELECT id FROM tombstone)',
]

/** Brings into a backup what became of users in the database that it replaces; how many of the backup have gone. */
export const carryOverUsers = async (
  { writer: { connection }, stores }: OpenDraft,
  lineage: Lineage,
): Promise<number> => {
  const run = (sql: string): number => connection.prepare(sql).run().changes
  for (const sql of [...RESTORED, ...WITHOUT_ACCESS]) run(sql)
  const deleted = pluck<UserId>(connection, DELETED)
  const erased = pluck<UserId>(connection, ERASED_WHILE_HELD)
  for (const id of [...deleted, ...erased]) {
    const addressKey = await addressOf(stores, id)
    if (addressKey !== undefined) forgetRequests(connection, addressKey)
  }
  for (const id of deleted) await stores.users.erase(id)
  for (const id of erased) await stores.heldUsers.remove(id)
  run('INSERT OR REPLACE INTO held_user SELECT * FROM replaced.held_user')
  // If the trail is another, the record is that of this very restore, which comes next; else id and time are of one record.
  const later = lineage === 'branched' ? '' : 'audit = excluded.audit, deleted_at = excluded.deleted_at,'
  const record = lineage === 'branched' ? `${givenOut('audit_record')} + 1` : 'audit'
  run(`INSERT INTO tombstone SELECT id, deleted_at, ${record}, erases_at, users, roles, subscriptions, mails,
      subscriptions_kept, tokens FROM replaced.tombstone WHERE true
    ON CONFLICT (id) DO UPDATE SET ${later} erases_at = excluded.erases_at, users = excluded.users, roles = excluded.roles,
      subscriptions = excluded.subscriptions, mails = excluded.mails, tokens = excluded.tokens`)
  for (const sql of TOKENS) run(sql)
  return deleted.length + erased.length
}
