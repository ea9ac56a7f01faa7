import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { migrateSqlite, openSqliteStorage, type SqliteStorage } from '../src/sqlite/index.ts'
import { afterTest, cleanUpAfterEachTest } from './after-test.ts'

export { afterTest, cleanUpAfterEachTest }

export const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-sqlite-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const newDatabase = async (): Promise<string> => {
  const file = path.join(newFolder(), 'data', 'rollcall.db')
  await migrateSqlite(file)
  return file
}

export const openStorage = async (file: string): Promise<SqliteStorage> => {
  const storage = await openSqliteStorage({ file })
  afterTest(() => storage.close())
  return storage
}

/** A look at the file from outside. */
export const lookAt = <Result>(file: string, look: (database: Database.Database) => Result): Result => {
  const database = new Database(file)
  try {
    return look(database)
  } finally {
    database.close()
  }
}
