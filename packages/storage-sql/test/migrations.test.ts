import path from 'node:path'
import { expect, it } from 'vitest'
import { SQLITE_MIGRATIONS } from '../src/migrations/sqlite/index.ts'
import { migrateSqlite, pendingMigrations } from '../src/sqlite/index.ts'
import { startChild } from './child-process.ts'
import { lookAt, newFolder, openStorage } from './temporary-storage.ts'

const MIGRATIONS = Object.keys(SQLITE_MIGRATIONS)

const newFile = (): string => path.join(newFolder(), 'rollcall.db')

it('are applied once, and said by name', async () => {
  const file = newFile()
  const all = await pendingMigrations(file)
  expect(all).toEqual(MIGRATIONS)
  expect(await migrateSqlite(file)).toEqual(all)
  expect(await migrateSqlite(file)).toEqual([])
  expect(await pendingMigrations(file)).toEqual([])
})

it('are applied by one of several processes that begin at once; the others wait', async () => {
  const file = newFile()
  const children = [1, 2, 3].map(() => startChild('migrate.ts', [file]))
  const applied = await Promise.all(children.map((child) => child.line('applied')))
  expect(applied.sort()).toEqual([`applied ${JSON.stringify(MIGRATIONS)}`, 'applied []', 'applied []'])
  expect((await (await openStorage(file)).readers.feeds.list({ after: 0, limit: 9 })).items).toHaveLength(1)
})

it('are applied by one of several that begin at once in one process', async () => {
  const file = newFile()
  const applied = await Promise.all([1, 2, 3].map(() => migrateSqlite(file)))
  expect(applied.flat()).toEqual(MIGRATIONS)
})

it('are said before they change tables that may have rows, each by its name; in a new file there is nothing to wait for', async () => {
  const file = newFile()
  const said: string[] = []
  const onWait = (text: string) => said.push(text)
  await migrateSqlite(file, { onWait })
  expect(said).toEqual([])
  const next = { needs: MIGRATIONS.at(-1) ?? '', statements: ['ALTER TABLE feed ADD COLUMN next TEXT'] }
  const migrations = { ...SQLITE_MIGRATIONS, '9998-next': next, '9999-last': { statements: [] } }
  expect(await migrateSqlite(file, { migrations, onWait })).toEqual(['9998-next', '9999-last'])
  expect(said).toEqual([
    'the migration 9998-next changes the tables; nothing else is done meanwhile',
    'the migration 9999-last changes the tables; nothing else is done meanwhile',
  ])
  const noted = lookAt(file, (database) => database.prepare('SELECT needs FROM rollcall_migration').pluck().all())
  expect(noted).toEqual([...MIGRATIONS, next.needs, '9999-last'])
})

it('are as if they had not begun when the process is killed in the middle, and are applied by the next', async () => {
  const file = newFile()
  const child = startChild('migrate.ts', [file, 'half'])
  await child.line('half way')
  await child.ended
  expect(lookAt(file, (database) => database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())).toBe(0)
  expect(await migrateSqlite(file)).toEqual(MIGRATIONS)
  expect((await (await openStorage(file)).readers.feeds.list({ after: 0, limit: 9 })).items).toHaveLength(1)
})
