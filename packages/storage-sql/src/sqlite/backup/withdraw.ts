import type { Connection } from '../connection.ts'
import type { Reapplied, Withdrawals } from './withdrawals.ts'

/**
 * Takes out of a database what was withdrawn after it was as it is. To be called in a transaction; whatever is not there
 * any more is passed over. `auditRecord` is the number of the record that says who did it.
 */
export const withdraw = (
  connection: Connection,
  { users, erased, ended }: Withdrawals,
  auditRecord: number,
): Omit<Reapplied, 'suppressions'> => {
  const changed = (sql: string, ...values: (string | number)[]): number =>
    connection.prepare(sql).run(...values).changes
  const counts = { users: 0, erased: 0, ended: 0 }
  for (const id of erased) {
    changed('DELETE FROM outbox WHERE subscription_id = ?', id)
    counts.erased += changed('DELETE FROM subscription WHERE id = ?', id)
  }
  for (const [id, at] of ended) {
    const now = changed(
      `UPDATE subscription SET status = 'e', ended_at = ?, expires_at = NULL, episode = lower(hex(randomblob(8)))
        WHERE id = ? AND status <> 'e'`,
      at,
      id,
    )
    if (now > 0) changed('DELETE FROM outbox WHERE subscription_id = ?', id)
    counts.ended += now
  }
  for (const [id, at] of users) {
    changed('DELETE FROM user_role WHERE user_seq = (SELECT seq FROM user_account WHERE id = ?)', id)
    const gone =
      changed('DELETE FROM user_account WHERE id = ?', id) + changed('DELETE FROM held_user WHERE id = ?', id)
    counts.users += gone
    changed(
      `INSERT INTO tombstone (id, deleted_at, audit, erases_at, users, roles, subscriptions, mails, subscriptions_kept)
        VALUES (?, ?, ?, NULL, ?, 0, 0, 0, 0) ON CONFLICT (id) DO UPDATE SET erases_at = NULL`,
      ...[id, at, auditRecord, gone],
    )
  }
  return counts
}
