import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

/** A few in every run; a hundred to be sure. */
const CYCLES = Number(process.env.TEST_BACKUP_CYCLES ?? 3)
const CLIENTS = 8

interface Row {
  readonly id: number
  readonly name: string
}

/** What clients read in answers, by address. */
class Ledger {
  readonly acknowledged = new Map<string, Row>()
  readonly sent = new Map<string, string>()
  #next = 0
  #stopped = false

  stop(): void {
    this.#stopped = true
  }

  async signUp(url: string): Promise<void> {
    while (!this.#stopped) {
      const n = this.#next++
      const [email, name] = [`person-${n}@example.com`, `Person ${n}`]
      this.sent.set(email, name)
      const answer = await fetch(`${url}/subscribe`, { method: 'POST', body: new URLSearchParams({ email, name }) })
      expect(answer.status).toBe(200)
      const { subscription } = (await answer.json()) as { subscription: Row }
      this.acknowledged.set(email, { id: subscription.id, name })
    }
  }
}

const look = (file: string) => {
  const database = new Database(file, { readonly: true })
  try {
    const rows = database.prepare<[], Row & { email: string }>('SELECT id, email, name FROM subscription').all()
    const count = (sql: string) => database.prepare<[], number>(sql).pluck().get()
    return {
      rows: new Map(rows.map(({ email, id, name }) => [email, { id, name }])),
      sound: database.pragma('integrity_check', { simple: true }),
      events: count('SELECT count(*) FROM event'),
      newest: count('SELECT max(position) FROM event'),
      orphans: count('SELECT count(*) FROM consent WHERE subscription NOT IN (SELECT seq FROM subscription)'),
      silent: count('SELECT count(*) FROM subscription WHERE seq NOT IN (SELECT subscription FROM consent)'),
    }
  } finally {
    database.close()
  }
}

describe('a backup under load', () => {
  it(`holds, ${CYCLES} times, all that was acknowledged before it, nothing that was not sent, and each row whole`, {
    timeout: 60_000 + CYCLES * 20_000,
  }, async () => {
    await using home = await Home.make({ LOG_LEVEL: 'warn' })
    await home.serve()
    const ledger = new Ledger()
    const clients = Array.from({ length: CLIENTS }, () => ledger.signUp(home.url))
    const file = path.join(home.folder, 'backup.db')
    try {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        await sleep(200)
        const before = new Map(ledger.acknowledged)
        const { code, stdout, stderr } = await home.run('backup', file, '--replace', '--json')
        expect([code, stderr]).toEqual([0, ''])
        const told = JSON.parse(stdout)
        const { rows, ...facts } = look(file)
        expect(facts).toEqual({ sound: 'ok', events: told.event, newest: told.event, orphans: 0, silent: 0 })
        expect(told).toMatchObject({ subscriptions: rows.size, files: ['secret', 'signing-keys.json'] })
        expect([...before].filter(([email, row]) => rows.get(email)?.id !== row.id)).toEqual([])
        expect([...rows].filter(([email, { name }]) => ledger.sent.get(email) !== name)).toEqual([])
      }
    } finally {
      ledger.stop()
      await Promise.all(clients)
    }
    expect(ledger.acknowledged.size).toBeGreaterThan(CYCLES * 10)
  })

  it('that is killed leaves nothing under its name, and the one before as it was', { timeout: 60_000 }, async () => {
    await using home = await Home.make()
    await home.run('migrate')
    const rows = Array.from({ length: 20_000 }, (_, n) => `person-${n}@example.com`)
    const importing = home.start(['subscription', 'import', '-', '--format', 'csv'])
    importing.child.stdin?.end(['email', ...rows].join('\n'))
    expect((await importing.ended).code).toBe(0)
    const file = path.join(home.folder, 'backup.db')
    await home.run('backup', file)
    const whole = await readFile(file)
    for (const pause of [200, 500, 800]) {
      const killed = home.start(['backup', file, '--replace'])
      await sleep(pause)
      await killed.kill('SIGKILL')
      expect(look(file)).toMatchObject({ sound: 'ok' })
    }
    expect((await readFile(file)).length).toBeGreaterThanOrEqual(whole.length)
  })
})

describe('the secret in a backup', () => {
  it('is that of the database, or there is no backup; and where it is missing, that is told', {
    timeout: 120_000,
  }, async () => {
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
  it('refuses a running server, and to overwrite without being told to', { timeout: 60_000 }, async () => {
    await using home = await Home.make()
    const server = await home.serve()
    await home.run('backup', 'b.db')
    expect(await home.run('restore', 'b.db', '--yes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Another server works'),
    })
    await server.kill('SIGTERM')
    expect(await home.run('restore', 'b.db')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect(await home.run('restore', 'b.db', '--yes')).toMatchObject({ code: 0 })
    expect(await home.run('restore', 'none.db', '--yes')).toMatchObject({ code: 4 })
  })

  it('of a lost data folder brings keys back, and takes out what the events say that were kept elsewhere', {
    timeout: 120_000,
  }, async () => {
    await using home = await Home.make()
    await home.run('migrate')
    for (const id of ['ada', 'bob']) await home.run('user', 'put', id, '--email', `${id}@example.com`)
    const token = await home.token('ada')
    await home.run('backup', 'b.db')
    await home.run('user', 'delete', 'bob', '--yes')
    const events = await home.run('event', 'list', '--json')
    await writeFile(path.join(home.folder, 'events.json'), events.stdout)

    const fresh = { DATA_DIR: path.join(home.folder, 'fresh') }
    const restore = (...more: string[]) => home.start(['restore', 'b.db', '--yes', ...more], fresh).ended
    expect(await restore()).toMatchObject({ code: 3, stderr: expect.stringContaining('--tombstones') })
    expect(await restore('--tombstones', 'nowhere')).toMatchObject({ code: 2 })
    await writeFile(path.join(home.folder, 'other.json'), '{"something": "else"}')
    expect(await restore('--tombstones', 'other.json')).toMatchObject({ code: 2 })
    const done = await restore('--tombstones', 'events.json')
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 user deleted') })
    expect(done.stdout).toContain('secret and signing-keys.json came back')
    expect((await stat(path.join(fresh.DATA_DIR, 'secret'))).mode & 0o777).toBe(0o600)

    await home.serve(fresh)
    const headers = { Authorization: `Bearer ${token}` }
    const status = async (id: string) => (await fetch(`${home.url}/users/${id}`, { headers })).status
    expect(await status('ada')).toBe(200)
    const verified = await home.start(['audit', 'list', '--json'], fresh).ended
    expect(JSON.parse(verified.stdout).items.at(-1)).toMatchObject({ action: 'database.restore', outcome: 'done' })
    expect(await home.start(['user', 'show', 'bob'], fresh).ended).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was deleted'),
    })
  })

  it('leaves alive whom the events say to be deleted and restored, and warns of a file that says nothing', {
    timeout: 120_000,
  }, async () => {
    await using home = await Home.make({ DELETE_GRACE: '30d' })
    await home.run('migrate')
    await home.run('user', 'put', 'k1', '--email', 'k1@example.com')
    await home.run('backup', 'b.db')
    await home.run('user', 'delete', 'k1', '--yes')
    await home.run('user', 'restore', 'k1')
    await writeFile(path.join(home.folder, 'ev.ndjson'), (await home.run('event', 'list', '--json')).stdout)
    await writeFile(path.join(home.folder, 'empty.ndjson'), '')
    for (const [kept, told] of [
      ['ev.ndjson', ''],
      ['empty.ndjson', 'it says nothing'],
    ] as const) {
      const lost = { DATA_DIR: path.join(home.folder, `after-${kept}`) }
      const restored = await home.start(['restore', 'b.db', '--yes', '--tombstones', kept], lost).ended
      expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining(told) })
      expect(restored.stdout).toContain('0 users deleted')
      expect((await home.start(['user', 'show', 'k1'], lost).ended).code).toBe(0)
    }
  })

  it('with another secret than that of the backup is refused', { timeout: 60_000 }, async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    await home.run('backup', 'b.db', '--without-keys')
    const without = home.start(['restore', 'b.db', '--yes', '--without-tombstones'], { DATA_DIR: `${home.folder}/x` })
    expect(await without.ended).toMatchObject({ code: 4, stderr: expect.stringContaining('does not hold the secret') })
    const settings = { DATA_DIR: `${home.folder}/y`, SECRET: 'another secret, which is long enough to be one' }
    const other = home.start(['restore', 'b.db', '--yes', '--without-tombstones'], settings)
    expect(await other.ended).toMatchObject({ code: 4, stderr: expect.stringContaining('is not the one') })
  })
})

it('says where a database on PostgreSQL is backed up', { timeout: 60_000 }, async () => {
  await using home = await Home.make({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  for (const command of ['backup', 'restore'])
    expect(await home.run(command, 'b.db', ...(command === 'restore' ? ['--yes'] : []))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('pg_dump'),
    })
})

it.skipIf(process.platform === 'win32')(
  'carries out the drill of docs/operating.md',
  { timeout: 120_000 },
  async () => {
    const page = await readFile(path.join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
    const [, drill = ''] = /### A drill\n[^`]*```sh\n([^`]*)```/.exec(page) ?? []
    expect(drill).toContain('rollcall restore drill.db')
    await using home = await Home.make()
    await home.serve()
    await home.run('user', 'put', 'ada', '--email', 'ada@example.com')
    const command = path.join(home.folder, 'rollcall')
    const main = path.join(import.meta.dirname, '../src/main.ts')
    await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
    await chmod(command, 0o755)
    const { execFile } = await import('node:child_process')
    const { promisify } = await import('node:util')
    const env = { PATH: `${home.folder}:${process.env.PATH}`, ROLLCALL_DATA_DIR: path.join(home.folder, 'data') }
    const { stdout } = await promisify(execFile)('sh', ['-ec', drill], { cwd: home.folder, env })
    expect(stdout).toContain('The audit trail holds: 2 records')
    expect(stdout).toContain('ada@example.com')
    await expect(stat(path.join(home.folder, 'drill'))).rejects.toThrow('ENOENT')
    expect((await fetch(`${home.url}/readyz`)).status).toBe(200)
  },
)
