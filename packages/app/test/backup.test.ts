import { rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

describe('the secret in a backup', () => {
  it('is that of the database, or there is no backup; and where it is missing, that is reported', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    const secret = path.join(home.folder, 'data/secret')
    await writeFile(secret, 'another secret, which is long enough to be one\n')
    const refused = await home.run('backup', 'b.db')
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('is not the one that this database') })
    await expect(stat(path.join(home.folder, 'b.db'))).rejects.toThrow('ENOENT')
    expect(await home.run('backup', 'b.db', '--without-keys')).toMatchObject({ code: 0 })
    await rm(secret)
    const without = await home.run('backup', 'c.db', '--json')
    expect(without).toMatchObject({ code: 0, stderr: expect.stringContaining('The secret is missing') })
    expect(JSON.parse(without.stdout)).toMatchObject({ secret: 'missing', files: ['signing-keys.json'] })
  })
})

describe('a restore', () => {
  it('refuses a running server, and to overwrite without the option', async () => {
    await using home = await Home.make()
    const server = await home.serveInProcess()
    await home.run('backup', 'b.db')
    expect(await home.run('restore', 'b.db', '--yes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Another server works'),
    })
    await server.stop()
    expect(await home.run('restore', 'b.db')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect(await home.run('restore', 'b.db', '--yes')).toMatchObject({ code: 0 })
    expect(await home.run('restore', 'none.db', '--yes')).toMatchObject({ code: 4 })
  })

  it('of a lost data folder brings keys back, and takes out what the events say that were kept elsewhere', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    for (const id of ['ada', 'bob']) await home.run('user', 'put', id, '--email', `${id}@example.com`)
    const token = await home.token('ada')
    await home.run('backup', 'b.db')
    await home.run('user', 'delete', 'bob', '--yes')
    const events = await home.run('event', 'list', '--json')
    await writeFile(path.join(home.folder, 'events.json'), events.stdout)

    const fresh = { DATA_DIR: path.join(home.folder, 'fresh') }
    const restore = (...more: string[]) => home.runWith(fresh, 'restore', 'b.db', '--yes', ...more)
    expect(await restore()).toMatchObject({ code: 3, stderr: expect.stringContaining('--tombstones') })
    expect(await restore('--tombstones', 'nowhere')).toMatchObject({ code: 2 })
    await writeFile(path.join(home.folder, 'other.json'), '{"something": "else"}')
    expect(await restore('--tombstones', 'other.json')).toMatchObject({ code: 2 })
    const done = await restore('--tombstones', 'events.json')
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 user deleted') })
    expect(done.stdout).toContain('secret and signing-keys.json came back')
    expect((await stat(path.join(fresh.DATA_DIR, 'secret'))).mode & 0o777).toBe(0o600)

    await home.serveInProcess(fresh)
    const headers = { Authorization: `Bearer ${token}` }
    const status = async (id: string) => (await fetch(`${home.url}/users/${id}`, { headers })).status
    expect(await status('ada')).toBe(200)
    const verified = await home.runWith(fresh, 'audit', 'list', '--json')
    expect(JSON.parse(verified.stdout).items.slice(-2)).toMatchObject([
      { action: 'database.restore', outcome: 'done' },
      { action: 'user.record', target: 'ada', actor: 'operator:rollcall' },
    ])
    expect(await home.runWith(fresh, 'user', 'show', 'bob')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was deleted'),
    })
  })

  it('keeps a user that the events say was deleted and restored, and warns of a file that says nothing', async () => {
    await using home = await Home.make({ DELETE_GRACE: '30d' })
    await home.run('migrate')
    await home.run('user', 'put', 'k1', '--email', 'k1@example.com')
    await home.run('backup', 'b.db')
    await home.run('user', 'delete', 'k1', '--yes')
    await home.run('user', 'restore', 'k1')
    await writeFile(path.join(home.folder, 'ev.ndjson'), (await home.run('event', 'list', '--json')).stdout)
    await writeFile(path.join(home.folder, 'empty.ndjson'), '')
    for (const [kept, warning] of [
      ['ev.ndjson', ''],
      ['empty.ndjson', 'it says nothing'],
    ] as const) {
      const lost = { DATA_DIR: path.join(home.folder, `after-${kept}`) }
      const restored = await home.runWith(lost, 'restore', 'b.db', '--yes', '--tombstones', kept)
      expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) })
      expect(restored.stdout).toContain('0 users deleted')
      expect((await home.runWith(lost, 'user', 'show', 'k1')).code).toBe(0)
    }
  })

  it('with another secret than that of the backup is refused', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    await home.run('backup', 'b.db', '--without-keys')
    const restore = ['restore', 'b.db', '--yes', '--without-tombstones']
    expect(await home.runWith({ DATA_DIR: `${home.folder}/x` }, ...restore)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('does not hold the secret'),
    })
    const settings = { DATA_DIR: `${home.folder}/y`, SECRET: 'another secret, which is long enough to be one' }
    expect(await home.runWith(settings, ...restore)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('is not the one'),
    })
  })
})

it('says where a database on PostgreSQL is backed up', async () => {
  await using home = await Home.make({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  for (const command of ['backup', 'restore'])
    expect(await home.run(command, 'b.db', ...(command === 'restore' ? ['--yes'] : []))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('pg_dump'),
    })
})
