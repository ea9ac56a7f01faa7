import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { Connection } from '../src/sqlite/driver.ts'
import { migrateSqlite, openSqliteStorage, type SqliteStorage } from '../src/sqlite/index.ts'

export const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let template: Promise<Buffer> | undefined

/** The bytes of a database with its tables: to migrate one takes twenty times as long as to write them. */
export const databaseBytes = (): Promise<Buffer> => {
  template ??= (async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-template-'))
    const file = path.join(folder, 'rollcall.db')
    await migrateSqlite(file)
    const bytes = readFileSync(file)
    rmSync(folder, { recursive: true })
    return bytes
  })()
  return template
}

/** An empty file that becomes a database with the first statement. */
export const databaseOf = (file: string): string => {
  writeFileSync(file, '', { mode: 0o600 })
  return file
}

export const newDatabase = async (): Promise<string> => {
  const file = path.join(newFolder(), 'data', 'rollcall.db')
  mkdirSync(path.dirname(file), { mode: 0o700 })
  writeFileSync(file, await databaseBytes(), { mode: 0o600 })
  return file
}

export const openStorage = async (file: string): Promise<SqliteStorage> => {
  const storage = await openSqliteStorage({ file })
  onTestFinished(() => storage.close())
  return storage
}

/** A database that somebody else has made. */
export const makeDatabase = (file: string, sql = ''): void => {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

/** A look at the file from outside. */
export const lookAt = <Result>(file: string, look: (database: Connection) => Result): Result => {
  const database = new Connection(file)
  try {
    return look(database)
  } finally {
    database.close()
  }
}
