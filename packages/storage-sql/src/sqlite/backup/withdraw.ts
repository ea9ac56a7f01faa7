import type { Instant } from '@rollcall/core'
import type { Connection } from '../connection.ts'

/** What people and operators took back after a backup was made. */
export interface Withdrawals {
  /** Ids of users who were deleted, and when. */
  readonly users: ReadonlyMap<string, Instant>
  /** Ids of subscriptions that were erased. */
  readonly erased: ReadonlySet<number>
  /** Ids of subscriptions that were ended and not begun again, and when. */
  readonly ended: ReadonlyMap<number, Instant>
}

/** How much of it a backup still had. */
export interface Reapplied {
  readonly users: number
  readonly erased: number
  readonly ended: number
  readonly suppressions: number
}

export const NOTHING_WITHDRAWN: Withdrawals = { users: new Map(), erased: new Set(), ended: new Map() }

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
