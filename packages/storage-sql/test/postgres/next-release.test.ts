import { expect, it } from 'vitest'
import {
  examinePostgres,
  migratePostgres,
  openPostgresSource,
  openPostgresStorage,
  pendingMigrations,
} from '../../src/postgres/index.ts'
import { tablesIn } from '../../src/postgres/migrate-postgres.ts'
import { BREAKING_UPGRADE, NEWER, REFUSAL, REFUSAL_OF_MORE, upgradeOf, workWith } from '../next-release.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { serviceOn } from '../service-on-file.ts'
import { onceFree, openStorage, temporaryDatabase } from './temporary-storage.ts'

const upgrade = (url: string) =>
  lookAt(url, async (client) => {
    const tables = (await tablesIn(client)).filter((name) => name !== 'rollcall_migration')
    await client.query(upgradeOf(tables))
    await client.query('ALTER TABLE login_link RENAME TO next_link; CREATE VIEW login_link AS SELECT * FROM next_link')
  })

it('works on a database that the next release has migrated, if that says so: also one that is open meanwhile', async () => {
  const url = await temporaryDatabase()
  const before = serviceOn(await openStorage(url), Date.now())
  await workWith(before, 'ada')
  await upgrade(url)
  await workWith(before, 'bob')
  expect([await pendingMigrations(url), await migratePostgres(url)]).toEqual([[], []])
  await workWith(serviceOn(await openStorage(url), Date.now()), 'cyd')
  const examination = await examinePostgres(url)
  expect([examination.missing, examination.newer, await examination.damage()]).toEqual([[], NEWER, []])
  await examination.close()
})

it('leaves what needs every table and column to the release that knows them', async () => {
  const url = await temporaryDatabase()
  await upgrade(url)
  await expect(onceFree(() => openPostgresSource(url))).rejects.toThrow(REFUSAL_OF_MORE)
})

it('refuses one that the next release has migrated without saying so, and says what to do', async () => {
  const url = await temporaryDatabase()
  await lookAt(url, (client) => client.query(BREAKING_UPGRADE))
  for (const open of [migratePostgres, pendingMigrations, examinePostgres])
    await expect(open(url)).rejects.toThrow(REFUSAL)
  await expect(openPostgresStorage({ url })).rejects.toMatchObject({ problem: 'newer-schema' })
})
