import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteStorage } from '@rollcall/storage-sql/sqlite'
import { expect, it } from 'vitest'
import { Home } from './running-service.ts'
import { seedUsers } from './seed-users.ts'

const USERS = 4_000
const KILLS = 4

const lastDocument = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '')

it('a plan whose run is killed again and again is applied in the end, each user once and on record', async () => {
  await using home = await Home.make()
  const ids = await seedUsers(home, USERS)
  const [list, plan] = [path.join(home.folder, 'list'), path.join(home.folder, 'plan')]
  await writeFile(list, ids.join('\n'))
  const planned = await home.run('user', 'delete', '--from', list, '--plan', plan, '--reason', 'left in May')
  expect(planned.code).toBe(0)

  const apply = ['user', 'delete', '--apply', plan, '--yes', '--json']
  for (let kill = 0; kill < KILLS; kill++) {
    const run = home.start(apply)
    for (let rows = 0; rows < 100 && run.child.exitCode === null; rows = run.stdout.split('\n').length) await sleep(5)
    await run.kill('SIGKILL')
  }
  const stranger = ids.at(-1) ?? ''
  // Unless the plan was quicker than the kills.
  const deletedByAnother = (await home.run('user', 'delete', stranger, '--yes')).code === 0

  const { code, stdout } = await home.run(...apply)
  const { report } = lastDocument(stdout)
  expect(report.deleted + report.already_deleted + report.refused).toBe(USERS)
  expect(report.already_deleted).toBeGreaterThan(100)
  expect([code, report.refused]).toEqual(deletedByAnother ? [3, 1] : [0, 0])

  const storage = await openSqliteStorage({ file: path.join(home.folder, 'data/rollcall.db') })
  try {
    const targets: (string | undefined)[] = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await storage.readers.audit.list({ after, limit: 1_000 })
      targets.push(...page.items.filter(({ action }) => action === 'user.delete').map(({ target }) => target))
      after = page.next
    }
    expect(targets.toSorted()).toEqual(ids.toSorted())
    expect((await storage.readers.users.list({ after: 0, limit: 1 })).items).toEqual([])
  } finally {
    await storage.close()
  }
  expect((await home.run('audit', 'verify')).code).toBe(0)
})
