import { closeSync, fsyncSync, openSync } from 'node:fs'
import { type Connection, pluck } from '../connection.ts'
import { DIGEST_TABLE, dropDigest } from './backup-digest.ts'

/** What of the data folder goes with the database, by its name there. */
export interface KeptFile {
  readonly name: string
  readonly content: string
}

/** Beside the tables of the database, in a backup alone. */
const TABLE = 'backup_file'
const MAKE = `CREATE TABLE ${TABLE} (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID`

/** What a backup has beside the tables of the database. */
export const BACKUP_TABLES = { [TABLE]: MAKE, ...DIGEST_TABLE } as const

/** Whether it is a finished backup; a mere copy of a database is not. */
const isBackup = (connection: Connection): boolean =>
  pluck(connection, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", TABLE).length > 0

export const addFiles = (connection: Connection, files: readonly KeptFile[]): void => {
  connection.exec(MAKE)
  const insert = connection.prepare<[string, string]>(`INSERT INTO ${TABLE} (name, content) VALUES (?, ?)`)
  for (const { name, content } of files) insert.run(name, content)
}

/** What went with the database. */
export const filesIn = (connection: Connection): readonly KeptFile[] =>
  isBackup(connection) ? connection.prepare<[], KeptFile>(`SELECT name, content FROM ${TABLE}`).all() : []

/** What went with the database; the backup is then a database like any other. */
export const takeFiles = (connection: Connection): readonly KeptFile[] => {
  const files = filesIn(connection)
  connection.exec(`DROP TABLE IF EXISTS ${TABLE}`)
  dropDigest(connection)
  return files
}

/** What a copy of a database holds: everything that was answered before, and nothing of what came later. */
export interface BackupPoint {
  /** The newest record of the audit trail, and the newest event, that have a number; 0 if there is none. */
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

/** What is wrong with the structure of a database, in SQLite's words; empty if nothing is. */
export const faultsOf = (connection: Connection): string[] => [
  ...pluck<string>(connection, 'PRAGMA integrity_check')
    // One value may be many lines, below a heading.
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== 'ok' && line !== '' && !line.startsWith('***')),
  ...pluck<string>(connection, 'PRAGMA foreign_key_check').map((table) => `a row of ${table} hangs on none`),
]

export const bringToDisk = (file: string): void => {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
