import type { Connection } from '../connection.ts'

/** What of the data folder goes with the database, by its name there. */
export interface KeptFile {
  readonly name: string
  readonly content: string
}

/** Beside the tables of the database, in a backup alone. */
const TABLE = 'backup_file'

/** Whether it is a finished backup; a mere copy of a database is not. */
const isBackup = (connection: Connection): boolean =>
  connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(TABLE) !== undefined

export const addFiles = (connection: Connection, files: readonly KeptFile[]): void => {
  connection.exec(`CREATE TABLE ${TABLE} (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID`)
  const insert = connection.prepare<[string, string]>(`INSERT INTO ${TABLE} (name, content) VALUES (?, ?)`)
  for (const { name, content } of files) insert.run(name, content)
}

/** What went with the database; the backup is then a database like any other. */
export const takeFiles = (connection: Connection): readonly KeptFile[] => {
  if (!isBackup(connection)) return []
  const files = connection.prepare<[], KeptFile>(`SELECT name, content FROM ${TABLE}`).all()
  connection.exec(`DROP TABLE ${TABLE}`)
  return files
}
