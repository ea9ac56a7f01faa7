import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateData } from '../../src/data-migration/migrate-data.ts'
import type { MigrationEnd } from '../../src/data-migration/migration-end.ts'
import {
  migratePostgres,
  openPostgresSource,
  openPostgresStorage,
  openPostgresTarget,
} from '../../src/postgres/index.ts'
import { migrateSqlite, openSqliteSource, openSqliteStorage, openSqliteTarget } from '../../src/sqlite/index.ts'
import { onceFree, temporaryDatabase } from '../postgres/temporary-storage.ts'
import { lookAt as lookAtServer } from '../postgres-server/databases.ts'
import { lookAt, makeDatabase, newFolder } from '../temporary-storage.ts'
import { filledDatabase } from './filled-database.ts'

const opened = async <End extends MigrationEnd>(opening: Promise<End>): Promise<End> => {
  const end = await opening
  onTestFinished(() => end.close())
  return end
}

const onServer = (url: string, sql: string) => lookAtServer(url, (client) => client.query(sql))

const MIGRATIONS = 'CREATE TABLE rollcall_migration (name text PRIMARY KEY, needs text NOT NULL)'
const MARK = 'CREATE TABLE unfinished_move (since bigint)'

describe('a move that was killed before the first row', () => {
  it.each([
    ['the mark', [MARK]],
    ['the mark and what the migrations are noted in', [MARK, MIGRATIONS]],
    ['what the migrations are noted in, unmarked', [MIGRATIONS]],
  ])('goes on in PostgreSQL where there is only %s', async (_, left) => {
    const url = await temporaryDatabase({ empty: true })
    for (const sql of left) await onServer(url, sql)
    const target = await opened(openPostgresTarget(url))
    expect(await migrateData(await opened(openSqliteSource(await filledDatabase(2))), target)).toMatchObject({
      differences: [],
    })
    await target.finish()
    await target.close()
    await (await onceFree(() => openPostgresStorage({ url }))).close()
    expect((await onServer(url, "SELECT to_regclass('unfinished_move') AS mark")).rows).toEqual([{ mark: null }])
  })

  it('keeps everybody from PostgreSQL from the mark on, also with all tables there', async () => {
    const url = await temporaryDatabase({ empty: true })
    await onServer(url, MARK)
    await expect(migratePostgres(url)).rejects.toThrow(/A move into .* was begun/)
    await (await openPostgresTarget(url)).close()
    await expect(onceFree(() => openPostgresStorage({ url }))).rejects.toThrow(/A move into .* was begun/)
    await expect(onceFree(() => openPostgresSource(url))).rejects.toThrow(/A move into .* was begun/)
    const target = await opened(onceFree(() => openPostgresTarget(url)))
    expect(await migrateData(await opened(openSqliteSource(await filledDatabase(2))), target)).toMatchObject({
      differences: [],
    })
  })

  it('goes on in a file, and keeps everybody from it meanwhile', async () => {
    const file = path.join(newFolder(), 'rollcall.db')
    writeFileSync(file, '')
    await (await openSqliteTarget(file)).close()
    await expect(openSqliteStorage({ file })).rejects.toThrow(/A move into .* was begun/)
    const marked = path.join(newFolder(), 'rollcall.db')
    makeDatabase(marked, 'CREATE TABLE unfinished_move (since INTEGER)')
    await expect(migrateSqlite(marked)).rejects.toThrow(/A move into .* was begun/)
    const target = await opened(openSqliteTarget(marked))
    await migrateData(await opened(openSqliteSource(await filledDatabase(2))), target)
    await target.finish()
    await target.close()
    await (await openSqliteStorage({ file: marked })).close()
  })
})

describe("a stranger's database", () => {
  it('is refused as a target before anything is changed', async () => {
    const url = await temporaryDatabase({ empty: true })
    await onServer(url, 'CREATE TABLE feed (id int); CREATE VIEW other AS SELECT 1')
    await expect(openPostgresTarget(url)).rejects.toThrow(/somebody else in it \(feed and 1 more\)\. Give an empty one/)
    const { rows } = await onServer(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    expect(rows.map(({ relname }) => relname).sort()).toEqual(['feed', 'other'])
    const file = path.join(newFolder(), 'theirs.db')
    makeDatabase(file, 'CREATE TABLE theirs (id)')
    const before = readFileSync(file)
    await expect(openSqliteTarget(file)).rejects.toThrow(/somebody else in it \(theirs\)/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is no source, and neither is an empty one; nothing in it is changed', async () => {
    const url = await temporaryDatabase({ empty: true })
    await expect(openPostgresSource(url)).rejects.toThrow(/is no Rollcall database/)
    await onServer(url, 'CREATE TABLE instance (id int)')
    await expect(openPostgresSource(url)).rejects.toThrow(/is no Rollcall database/)
    const folder = newFolder()
    mkdirSync(folder, { recursive: true })
    const [theirs, empty] = [path.join(folder, 'theirs.db'), path.join(folder, 'empty.db')]
    makeDatabase(theirs, 'CREATE TABLE theirs (id)')
    writeFileSync(empty, '')
    const before = readFileSync(theirs)
    for (const file of [theirs, empty]) await expect(openSqliteSource(file)).rejects.toThrow(/is no Rollcall database/)
    expect(readFileSync(theirs).equals(before)).toBe(true)
    expect([readFileSync(empty).length, existsSync(`${empty}-wal`)]).toEqual([0, false])
    expect(() => lookAt(theirs, (database) => database.prepare('SELECT * FROM instance'))).toThrow(/no such table/)
  })
})
