import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { filesWith } from './files-with.ts'
import { Home } from './running-service.ts'

describe('the secret in a backup', () => {
  it('is that of the database, or there is no backup; and where it is missing, that is reported', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    const secret = path.join(home.folder, 'data/secret')
    await writeFile(secret, 'another secret, which is long enough to be one\n')
    const refused = await home.run('backup', 'b.db', '--with-keys')
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('is not the one that this database') })
    await expect(stat(path.join(home.folder, 'b.db'))).rejects.toThrow('ENOENT')
    expect(await home.run('backup', 'b.db')).toMatchObject({ code: 0 })
    await rm(secret)
    const without = await home.run('backup', 'c.db', '--with-keys', '--json')
    expect(without).toMatchObject({ code: 0, stderr: expect.stringContaining('The secret is missing') })
    expect(JSON.parse(without.stdout)).toMatchObject({
      secret: 'missing',
      files: ['link-keys.json', 'signing-keys.json'],
    })
  })
})

describe('a restore', () => {
  it('keeps what it replaces outside the data folder, so that nothing of who is deleted later stays in that', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.run('user', 'put', 'zq', '--email', 'zqunmistakable@example.com')
    for (const name of ['b.db', 'data/b.db']) await home.run('backup', name)
    for (const args of [['data/b.db'], ['b.db', '--keep', 'data/old.db']]) {
      const { code, stderr } = await home.run('restore', ...args, '--yes')
      expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('--keep FILE') })
    }
    await rm(path.join(home.folder, 'data/b.db'))
    const { stdout } = await home.run('restore', 'b.db', '--yes')
    expect(stdout).toMatch(/What was there is now \S+b\.db\.replaced-\d+/)
    await home.run('user', 'delete', 'zq', '--yes')
    await (await home.serveInProcess()).stop()
    expect(await filesWith(path.join(home.folder, 'data'), 'zqunmistakable')).toEqual([])
    expect(await filesWith(home.folder, 'zqunmistakable')).toHaveLength(2)
  })

  it('of a lost data folder brings keys back, and takes out what the events say that were kept elsewhere', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    for (const id of ['ada', 'bob']) await home.run('user', 'put', id, '--email', `${id}@example.com`)
    const token = await home.token('ada')
    await home.run('backup', 'b.db', '--with-keys')
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
    expect(done.stdout).toContain('secret, link-keys.json and signing-keys.json came back')
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

  it('in place of a database of a newer version says so, and that deletions since are not known', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.run('backup', 'b.db')
    using database = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'))
    database.exec("INSERT INTO rollcall_migration (name, needs) VALUES ('0002-next', '0001-initial')")
    expect(await home.run('restore', 'b.db', '--yes')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/damaged or of another version, so it is not known what was deleted/),
    })
  })

  it('with another secret than that of the backup is refused', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    await home.run('backup', 'b.db')
    const restore = ['restore', 'b.db', '--yes', '--without-tombstones']
    expect(await home.runWith({ DATA_DIR: `${home.folder}/x` }, ...restore)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('The backup holds no keys'),
    })
    const settings = { DATA_DIR: `${home.folder}/y`, SECRET: 'another secret, which is long enough to be one' }
    expect(await home.runWith(settings, ...restore)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('is not the one'),
    })
  })
})

describe('a backup without keys', () => {
  /** That it says what it is at depends on how long that takes. */
  const warnings = ({ stderr }: { readonly stderr: string }) =>
    stderr.split('\n').filter((line) => !/^(?:[A-Z].* \.\.\.)?$/.test(line))
  const KEYS = ['secret', 'link-keys.json', 'signing-keys.json'] as const
  const begun = async (home: Home) => {
    await home.run('migrate')
    await home.run('user', 'put', 'ada', '--email', 'ada@example.com')
    await home.token('ada')
  }
  const restored = async (home: Home, folder: string, ...keys: readonly string[]) => {
    const DATA_DIR = path.join(home.folder, folder)
    await mkdir(DATA_DIR, { mode: 0o700 })
    for (const name of keys) await copyFile(path.join(home.folder, 'data', name), path.join(DATA_DIR, name))
    return await home.runWith({ DATA_DIR }, 'restore', 'b.db', '--yes', '--without-tombstones')
  }

  it('is what is made unless keys are asked for, and says where they are', async () => {
    await using home = await Home.make()
    await begun(home)
    const { stdout } = await home.run('backup', 'b.db', '--json')
    const elsewhere = KEYS.map((name) => path.join(home.folder, 'data', name))
    expect(JSON.parse(stdout)).toMatchObject({ files: [], secret: 'left-out', elsewhere })
    expect((await home.run('backup', '--verify', 'b.db')).stdout).toContain('It holds no keys')
    await home.run('backup', 'c.db', '--with-keys')
    expect((await home.run('backup', '--verify', 'c.db')).stdout).toContain('anyone who has it can sign')
  })

  it('has no byte of a key in it', async () => {
    await using home = await Home.make()
    await home.serveInProcess()
    await home.token('ada')
    await home.signUp('ada@example.com')
    await home.run('secret', 'rotate')
    await home.run('backup', 'b.db')
    const bytes = await readFile(path.join(home.folder, 'b.db'))
    const [secret = '', ...sets] = await Promise.all(
      KEYS.map((name) => readFile(path.join(home.folder, 'data', name), 'utf8')),
    )
    const keys = sets.flatMap((text) => JSON.parse(text).keys as { k?: string; d?: string }[])
    const parts = keys.flatMap(({ k, d }) => [k ?? [], d ?? []].flat())
    expect(parts).toHaveLength(3)
    for (const part of [secret.trim(), ...parts])
      for (const form of [part, Buffer.from(part, 'base64url'), Buffer.from(part, 'base64url').toString('hex')])
        expect(bytes.includes(form)).toBe(false)
  })

  it('is restored with keys that are given apart, and says of each that is missing what that costs', async () => {
    await using home = await Home.make()
    await begun(home)
    await home.run('backup', 'b.db')
    const all = await restored(home, 'all', ...KEYS)
    expect([all.code, warnings(all)]).toEqual([0, []])
    const alone = await restored(home, 'alone', 'secret')
    expect(alone).toMatchObject({ code: 0 })
    expect(alone.stderr).toContain(`${path.join(home.folder, 'alone', 'link-keys.json')} is missing`)
    expect(alone.stderr).toContain('every link in mails that were sent is dead, those to unsubscribe included')
    expect(alone.stderr).toContain(`${path.join(home.folder, 'alone', 'signing-keys.json')} is missing`)
    expect(await home.runWith({ DATA_DIR: path.join(home.folder, 'alone') }, 'serve')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('The link keys'),
    })
    const nothing = await restored(home, 'nothing')
    expect(nothing).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(path.join(home.folder, 'nothing', 'secret')),
    })
    const text = async (name: string) => (await readFile(path.join(home.folder, 'data', name), 'utf8')).trim()
    const [SECRET, LINK_KEYS, SIGNING_KEYS] = await Promise.all(KEYS.map(text))
    const settings = { DATA_DIR: path.join(home.folder, 'set'), SECRET, LINK_KEYS, SIGNING_KEYS } as Record<
      string,
      string
    >
    const given = await home.runWith(settings, 'restore', 'b.db', '--yes', '--without-tombstones')
    expect([given.code, warnings(given)]).toEqual([0, []])
  })

  it('does not bring link keys back that were revoked since', async () => {
    await using home = await Home.make()
    await begun(home)
    await home.run('backup', 'b.db', '--with-keys')
    await home.run('secret', 'rotate', '--revoke', '--yes')
    const back = await home.run('restore', 'b.db', '--yes')
    expect([back.code, warnings(back)]).toEqual([0, []])
    await home.serveInProcess()
    const { keys } = JSON.parse(await readFile(path.join(home.folder, 'data/link-keys.json'), 'utf8'))
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual(['2'])
  })

  it('goes on with link keys that were rotated and kept since, and says what that means', async () => {
    await using home = await Home.make()
    await begun(home)
    await home.run('backup', 'b.db')
    await home.run('secret', 'rotate', '--revoke', '--yes')
    const back = await restored(home, 'new', ...KEYS)
    expect(back.code).toBe(0)
    expect(back.stderr).toContain('If keys were revoked since, it is right; else put the right one there')
    await home.serveInProcess({ DATA_DIR: path.join(home.folder, 'new') })
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
