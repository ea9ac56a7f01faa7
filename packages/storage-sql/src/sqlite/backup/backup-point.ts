import type { Connection } from '../connection.ts'

/** What a copy of a database holds: everything that was answered before, and nothing of what came later. */
export interface BackupPoint {
  /** The newest record of the audit trail, and the newest event; 0 where there is none. */
  readonly auditRecord: number
  readonly event: number
  readonly subscriptions: number
  readonly users: number
}

/** Of the database itself, or of one that is attached to it. */
export const pointOf = (connection: Connection, database: 'main' | 'replaced' = 'main'): BackupPoint => {
  const sql = `SELECT (SELECT coalesce(max(sequence), 0) FROM ${database}.audit_record) AS auditRecord,
    (SELECT coalesce(max(position), 0) FROM ${database}.event) AS event,
    (SELECT count(*) FROM ${database}.subscription) AS subscriptions,
    (SELECT count(*) FROM ${database}.user_account) AS users`
  return connection.prepare<[], BackupPoint>(sql).get() ?? { auditRecord: 0, event: 0, subscriptions: 0, users: 0 }
}

/** What is wrong with the structure of a database, in SQLite's words; empty where nothing is. */
export const faultsOf = (connection: Connection): string[] => [
  ...connection
    .prepare<[], string>('PRAGMA integrity_check')
    .pluck()
    .all()
    // One value may be many lines, below a heading.
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== 'ok' && line !== '' && !line.startsWith('***')),
  ...connection
    .prepare<[], { table: string }>('PRAGMA foreign_key_check')
    .all()
    .map(({ table }) => `a row of ${table} hangs on none`),
]
