import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { Home } from './running-service.ts'
import { FirstRelease } from './upgrade-first-release.ts'
import {
  ask,
  expectAnHour,
  expectEverything,
  migrateUnderLoad,
  startFirstRelease,
  statusOf,
} from './upgrade-journey.ts'

const DUMP = path.join(import.meta.dirname, '../../storage-sql/test/first-release/sqlite.sql')

const schemaOf = (database: DatabaseSync): unknown[] => {
  try {
    return database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name').all()
  } finally {
    database.close()
  }
}

it('this version takes over an SQLite database that the first release goes on serving while it is migrated', async () => {
  await using own = new AsyncDisposableStack()
  const upgrade = await startFirstRelease(own)
  const { old, server, settings, tokens } = upgrade
  const folder = path.join(old.folder, 'data')
  const dumped = new DatabaseSync(':memory:')
  dumped.exec(await readFile(DUMP, 'utf8'))
  expect(schemaOf(new DatabaseSync(path.join(folder, 'rollcall.db'), { readOnly: true }))).toEqual(schemaOf(dumped))
  await expectAnHour(upgrade, 'before')

  const now = own.use(await Home.make({ ...settings, DATA_DIR: folder }))
  const signUps = await migrateUnderLoad(upgrade, now)
  const second = await now.runWith({}, 'serve')
  expect([second.code, second.stderr]).toEqual([4, expect.stringContaining('Another server')])
  await expectAnHour(upgrade, 'after')
  for (const command of [
    ['user', 'suspend', 'kept-after'],
    ['token', 'revoke', 'of-a-machine'],
    ['token', 'issue', '--subject', 'mailer', '--role', 'sender', '--feed', 'default'],
  ]) {
    const { code, stderr } = await now.run(...command)
    expect([command, code, stderr]).toEqual([command, 4, expect.stringContaining('release before is running')])
  }
  expect(JSON.parse((await ask(old, tokens.admin, 'GET', '/users/kept-after')).text)).toMatchObject({
    id: 'kept-after',
  })

  expect((await server.kill('SIGTERM')).code).toBe(0)
  await now.serveInProcess()
  await expectEverything(upgrade, now, signUps)
  expect(await statusOf(now, tokens.admin, 'POST', '/users/kept-after/suspend', { reason: 'left' })).toBe(200)
})

it('says what to do where the clone does not have the first release', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-shallow-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  execFileSync('git', ['init', '--quiet', folder])
  await expect(FirstRelease.checkOut(folder)).rejects.toThrow("Fetch the whole history by 'git fetch --unshallow'")
})
