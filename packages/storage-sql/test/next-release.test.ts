import path from 'node:path'
import { expect, it } from 'vitest'
import {
  backupSqlite,
  examineSqlite,
  migrateSqlite,
  NOTHING_WITHDRAWN,
  openSqliteSource,
  openSqliteStorage,
  pendingMigrations,
  restoreSqlite,
  verifyBackup,
} from '../src/sqlite/index.ts'
import { tablesOf } from '../src/sqlite/migrate-sqlite.ts'
import { BREAKING_UPGRADE, NEWER, REFUSAL, REFUSAL_OF_MORE, upgradeOf, workWith } from './next-release.ts'
import { serviceOn } from './service-on-file.ts'
import { lookAt, newDatabase, newFolder, openStorage } from './temporary-storage.ts'

const upgrade = (file: string, sql: string) => lookAt(file, (database) => database.exec(sql))

const ours = async (file: string) => (await tablesOf(file)).filter((name) => name !== 'rollcall_migration')

it('works on a database that the next release has migrated, if that says so: also one that is open meanwhile', async () => {
  const file = await newDatabase()
  const before = serviceOn(await openStorage(file), 1_000_000)
  await workWith(before, 'ada')
  upgrade(file, upgradeOf(await ours(file)))
  await workWith(before, 'bob')
  expect([await pendingMigrations(file), await migrateSqlite(file)]).toEqual([[], []])
  await workWith(serviceOn(await openStorage(file), 2_000_000), 'cyd')
  const examination = await examineSqlite(file)
  expect([examination.missing, examination.newer, await examination.damage()]).toEqual([[], NEWER, []])
  await examination.close()
})

it('leaves what needs every table and column to the release that knows them', async () => {
  const file = await newDatabase()
  upgrade(file, upgradeOf(await ours(file)))
  await expect(openSqliteSource(file)).rejects.toThrow(REFUSAL_OF_MORE)
  const backup = path.join(newFolder(), 'backup')
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  await expect(verifyBackup({ file: backup })).rejects.toThrow(REFUSAL_OF_MORE)
  await expect(restoreSqlite({ file, backup, withdrawals: () => NOTHING_WITHDRAWN })).rejects.toThrow(REFUSAL_OF_MORE)
})

it('takes one on which it cannot work in spite of that for a newer one, and for no damaged one', async () => {
  const file = await newDatabase()
  upgrade(file, `${upgradeOf([])}; DROP TABLE login_link`)
  await expect(openSqliteStorage({ file })).rejects.toThrow(REFUSAL_OF_MORE)
})

it('refuses one that the next release has migrated without saying so, and says what to do', async () => {
  const file = await newDatabase()
  upgrade(file, BREAKING_UPGRADE)
  for (const open of [migrateSqlite, pendingMigrations, examineSqlite])
    await expect(open(file)).rejects.toThrow(REFUSAL)
  await expect(openSqliteStorage({ file })).rejects.toMatchObject({ problem: 'newer-schema' })
})
