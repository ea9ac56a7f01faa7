import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { SQLITE_MIGRATIONS } from '../src/migrations/sqlite/index.ts'
import type { Connection } from '../src/sqlite/driver.ts'
import { migrateSqlite } from '../src/sqlite/index.ts'
import { dumpOf, EVERYTHING, everythingIn, statementsOf } from './first-release/first-release.ts'
import { databaseOf, lookAt, newFolder, openStorage } from './temporary-storage.ts'

const [, ...LATER] = Object.keys(SQLITE_MIGRATIONS)

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

const tablesIn = (database: Connection): Record<string, Column[]> =>
  Object.fromEntries(
    (
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        .pluck()
        .all() as string[]
    ).map((name) => [name, database.prepare<[string], Column>('SELECT * FROM pragma_table_info(?)').all(name)]),
  )

const hooksIn = (database: Connection, tables: readonly string[]): unknown[] =>
  database
    .prepare("SELECT type, name, tbl_name FROM sqlite_schema WHERE type = 'trigger' OR sql LIKE 'CREATE UNIQUE%'")
    .all()
    .filter((found) => tables.includes((found as { tbl_name: string }).tbl_name))

const made = (...statements: readonly string[]): string => {
  const file = path.join(newFolder(), 'rollcall.db')
  lookAt(databaseOf(file), (database) => database.exec(statements.join('\n')))
  return file
}

describe('a database of the first release, on SQLite', () => {
  const { whole, schema, ofMigrations, rows } = dumpOf('sqlite')

  it('is brought up to date, and everything in it is readable', async () => {
    const file = made(whole)
    expect(await migrateSqlite(file)).toEqual(LATER)
    expect(await everythingIn(await openStorage(file))).toMatchObject(EVERYTHING)
  })

  it('takes what the first release writes after that, and it is readable, too', async () => {
    const file = made(schema, ...ofMigrations)
    lookAt(file, (database) => database.exec('DELETE FROM feed; DELETE FROM erasure'))
    await migrateSqlite(file)
    lookAt(file, (database) => {
      database.pragma('foreign_keys = OFF')
      for (const row of rows) database.exec(row)
    })
    expect(rows.length).toBeGreaterThan(100)
    expect(await everythingIn(await openStorage(file))).toMatchObject(EVERYTHING)
  })

  it('still takes every statement that the first release has', async () => {
    const file = made(whole)
    await migrateSqlite(file)
    const statements = statementsOf('sqlite')
    expect(statements.length).toBeGreaterThan(100)
    lookAt(file, (database) => {
      for (const text of statements) expect(() => database.prepare(text), text).not.toThrow()
    })
  })

  it('has every column as before, new ones that may be left out, and no new rule on a table', async () => {
    const file = made(whole)
    const before = lookAt(file, tablesIn)
    const hooks = lookAt(file, (database) => hooksIn(database, Object.keys(before)))
    await migrateSqlite(file)
    const after = lookAt(file, tablesIn)
    for (const [name, columns] of Object.entries(before)) {
      const now = after[name] ?? []
      expect(now.slice(0, columns.length), name).toEqual(columns)
      for (const { name: column, notnull, dflt_value } of now.slice(columns.length))
        expect(notnull === 0 || dflt_value !== null, `${name}.${column}`).toBe(true)
    }
    expect(lookAt(file, (database) => hooksIn(database, Object.keys(before)))).toEqual(hooks)
  })
})
