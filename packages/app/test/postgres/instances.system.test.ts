import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LinkTokens, type SubscriptionId } from '@rollcall/core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { LinkKeyFile } from '../../src/platform/link-keys.ts'
import { createNodeDigests } from '../../src/platform/node-digests.ts'
import { answering, EventReceiver } from '../event-receiver.ts'
import { eventually } from '../eventually.ts'
import { MailSink } from '../mail-sink.ts'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'
import { Impostor } from './impostor.ts'
import { Passage } from './passage.ts'

const SECRET = 'a secret that is long enough for a test of several instances'

/** Each has a folder of its own; the second has the keys of the first. */
const twoInstances = async (more: Readonly<Record<string, string>> = {}) => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await Database.make())
  const settings = { DATABASE_URL: database.url, SECRET, ...more }
  const one = stack.use(await Home.make(settings))
  await one.serveInProcess()
  const two = stack.use(await Home.make(settings))
  await two.takeKeysOf(one)
  await two.serveInProcess()
  const all = stack.move()
  return { database, one, two, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const asAdmin = (token: string, method: string, body?: object) => ({
  method,
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  ...(body ? { body: JSON.stringify(body) } : {}),
})

describe('two instances on one database', () => {
  it('send every mail once, whichever instance took the sign-up', async () => {
    await using sink = await MailSink.open()
    await using both = await twoInstances({ SMTP_URL: sink.url })
    const { database, one, two } = both
    sink.delay = 5
    const emails = Array.from({ length: 80 }, (_, n) => `person-${n}@example.com`)
    const answers = await Promise.all(emails.map((email, n) => (n % 2 ? one : two).signUp(email)))
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200))
    const left = 'SELECT 1 FROM sign_up_request UNION ALL SELECT 1 FROM outbox'
    await eventually(async () => (await database.query(left)).length === 0, 'that every mail is sent')
    const unsealed = 'SELECT 1 FROM event WHERE position IS NULL'
    await eventually(async () => (await database.query(unsealed)).length === 0, 'that every event has its place')
    expect(sink.mails.map(({ to }) => to).sort()).toEqual(emails.sort())
    expect(await database.query('SELECT count(*), max(position) FROM event')).toEqual([{ count: '80', max: '80' }])
  })

  it('send every event once to each target, and those of one subject in their order', async () => {
    await using receiver = await EventReceiver.open()
    await using both = await twoInstances({ WEBHOOK_ALLOW: '127.0.0.1' })
    const { one, two } = both
    const admin = await one.token('root', 'admin')
    const put = (home: Home, place: string, body: object) => fetch(`${home.url}${place}`, asAdmin(admin, 'PUT', body))
    const underway = new Set<string>()
    receiver.reply = async ({ subject }) => {
      expect(underway.has(subject)).toBe(false)
      underway.add(subject)
      await sleep(5)
      underway.delete(subject)
      return answering(204)
    }
    expect((await put(one, '/webhooks/shop', { url: receiver.url })).status).toBe(201)
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        for (const name of ['a', 'b', 'c', 'd', 'e'])
          await put(n % 2 ? one : two, `/users/u${n}`, { email: `u${n}@example.com`, name, roles: [] })
      }),
    )
    await eventually(() => receiver.taken.length >= 100, 'that every event is taken')
    await sleep(200)
    expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(100)
    expect(receiver.arrivals).toHaveLength(100)
    for (let n = 0; n < 20; n++) {
      const ids = receiver.taken.filter(({ subject }) => subject === `u${n}`).map(({ id }) => Number.parseInt(id, 10))
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    }
  })

  it('count the forms of a network together', async () => {
    await using both = await twoInstances({ RATE_LIMIT: '1000/1h' })
    const { one, two } = both
    const statuses: number[] = []
    for (let n = 0; n < 104; n++) statuses.push((await (n % 2 ? one : two).signUp(`p${n}@example.com`)).status)
    expect(statuses).toEqual(statuses.map((_, n) => (n < 100 ? 200 : 429)))
    for (const home of [one, two]) expect((await home.signUp('p0@example.com')).status).toBe(429)
  })

  it('follow a rotation of the link keys in a folder that they share, and a revocation', async () => {
    await using database = await Database.make()
    const settings = { DATABASE_URL: database.url, SECRET }
    await using one = await Home.make(settings)
    await one.serveInProcess()
    await using two = await Home.make({ ...settings, DATA_DIR: path.join(one.folder, 'data') })
    await two.serve()
    const answer = (await (await one.signUp('ada@example.com')).json()) as { subscription: { id: SubscriptionId } }
    const file = path.join(one.folder, 'data/link-keys.json')
    const link = async () => {
      const tokens = new LinkTokens({ linkKeys: await LinkKeyFile.open(file), digests: createNodeDigests('') })
      return `unsubscribe/${tokens.signId('unsubscribe', answer.subscription.id)}`
    }
    const statuses = async (path: string) =>
      await Promise.all([one, two].map(async ({ url }) => (await fetch(`${url}/${path}`)).status))
    const before = await link()
    expect(await statuses(before)).toEqual([200, 200])
    expect((await two.run('secret', 'rotate')).code).toBe(0)
    const after = await link()
    await eventually(async () => (await statuses(after)).join() === '200,200', 'that both take the new key')
    expect(await statuses(before)).toEqual([200, 200])
    expect((await one.run('secret', 'rotate', '--revoke', '--yes')).code).toBe(0)
    await eventually(async () => (await statuses(before)).join() === '404,404', 'that both refuse the old keys')
    expect(await statuses(after)).toEqual([404, 404])
    expect(await statuses(await link())).toEqual([200, 200])
  })

  it('are refused another secret and other keys, with exit code 4', async () => {
    await using database = await Database.make()
    const settings = { DATABASE_URL: database.url, SECRET }
    await using one = await Home.make(settings)
    await one.serveInProcess()
    await using two = await Home.make(settings)
    const otherKeys = await two.run('serve')
    expect([otherKeys.code, otherKeys.stderr]).toEqual([4, expect.stringContaining('signing keys')])
    await two.takeKeysOf(one)
    const otherSecret = await two.runWith({ SECRET: SECRET.toUpperCase() }, 'serve')
    expect([otherSecret.code, otherSecret.stderr]).toEqual([4, expect.stringContaining('ROLLCALL_SECRET')])
    expect((await one.run('key', 'rotate', '--revoke')).stderr).toBe('')
    await two.takeKeysOf(one)
    await two.serveInProcess()
  })
})

describe('what one instance refuses', () => {
  let both: Awaited<ReturnType<typeof twoInstances>>
  let one: Home
  let two: Home
  let admin: string
  beforeAll(async () => {
    both = await twoInstances()
    one = both.one
    two = both.two
    admin = await one.token('root', 'admin')
  })
  afterAll(() => both[Symbol.asyncDispose]())

  const ask = async (home: Home, token: string, method: string, place: string, body?: object): Promise<number> => {
    const answer = await fetch(`${home.url}${place}`, asAdmin(token, method, body))
    await answer.arrayBuffer()
    return answer.status
  }
  const statuses = async (token: string, place: string): Promise<number[]> => [
    await ask(two, token, 'GET', place),
    await ask(one, token, 'GET', place),
  ]
  const issued = async (...options: readonly string[]): Promise<{ token: string; token_id: string }> =>
    JSON.parse((await one.run('token', 'issue', '--json', ...options)).stdout)

  it('the other refuses at once, where a user was suspended; what is older than a resumption stays refused', async () => {
    const grace = { email: 'grace@example.com', name: '', roles: ['auditor'] }
    expect(await ask(one, admin, 'PUT', '/users/grace', grace)).toBe(201)
    const before = await two.token('grace')
    for (const _ of [1, 2, 3]) expect(await statuses(before, '/users')).toEqual([200, 200])
    expect(await ask(one, admin, 'POST', '/users/grace/suspend', { reason: 'left' })).toBe(200)
    expect(await statuses(before, '/users')).toEqual([401, 401])
    expect((await two.run('token', 'issue', '--subject', 'grace')).code).toBe(3)
    expect(await ask(one, admin, 'POST', '/users/grace/resume', { reason: 'back' })).toBe(200)
    expect(await statuses(before, '/users')).toEqual([401, 401])
    // A token says the second in which it was issued, and one of the second of the resumption may be older.
    await expect.poll(async () => await statuses(await two.token('grace'), '/users')).toEqual([200, 200])
    expect(await statuses(before, '/users')).toEqual([401, 401])
  })

  it('the other refuses at once, where a token of a machine was revoked; its other tokens go on', async () => {
    const [gone, kept] = [
      await issued('--subject', 'exporter', '--role', 'auditor'),
      await issued('--subject', 'exporter', '--role', 'auditor'),
    ]
    for (const _ of [1, 2, 3]) expect(await statuses(gone.token, '/users')).toEqual([200, 200])
    expect(await ask(one, admin, 'DELETE', `/tokens/${gone.token_id}`)).toBe(204)
    expect(await statuses(gone.token, '/users')).toEqual([401, 401])
    expect(await statuses(kept.token, '/users')).toEqual([200, 200])
  })
})

describe('an instance whose database goes away', () => {
  it('says so, and is ready again by itself soon after it is back', async () => {
    await using database = await Database.make()
    await using passage = new Passage(new URL(inject('postgres').url))
    await passage.open()
    await using home = await Home.make({ DATABASE_URL: passage.through(database.url), SECRET })
    const server = await home.serveInProcess()
    expect((await home.signUp('before@example.com')).status).toBe(200)
    for (const round of [1, 2]) {
      await passage.cut()
      const refused = await home.signUp('meanwhile@example.com')
      expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([503, true])
      const unready = await fetch(`${home.url}/readyz`)
      expect([unready.status, Number(unready.headers.get('Retry-After')) > 0]).toEqual([503, true])
      expect((await fetch(`${home.url}/livez`)).status).toBe(200)
      await passage.open()
      await eventually(async () => (await fetch(`${home.url}/readyz`)).status === 200, 'that it is ready again')
      expect((await home.signUp(`after-${round}@example.com`)).status).toBe(200)
    }
    await server.stop()
  })

  it('goes on when every connection is terminated, without a failed request', async () => {
    await using database = await Database.make()
    await using home = await Home.make({ DATABASE_URL: database.url, SECRET })
    const server = await home.serveInProcess()
    for (let n = 0; n < 5; n++) {
      expect((await home.signUp(`person-${n}@example.com`)).status).toBe(200)
      await database.terminateConnections()
    }
    expect((await fetch(`${home.url}/readyz`)).status).toBe(200)
    const find = () => database.query('SELECT email FROM subscription ORDER BY seq')
    await eventually(async () => (await find()).length === 5, 'that all are carried out')
    expect((await find()).map(({ email }) => email)).toEqual([0, 1, 2, 3, 4].map((n) => `person-${n}@example.com`))
    const lost = server.said.filter(({ message }) => message.includes('was lost'))
    expect(lost.length).toBeGreaterThan(0)
    // The reason, and not the connection with all that it knows.
    for (const { fields } of lost) expect(Object.keys((fields as { err: Error }).err)).toEqual([])
  })
})

describe('the command line on PostgreSQL', () => {
  it('migrates, checks and works beside a server', async () => {
    await using database = await Database.make('template0')
    await using home = await Home.make({ DATABASE_URL: database.url, SECRET })
    expect((await home.run('migrate', '--check')).code).toBe(3)
    expect((await home.run('user', 'list')).code).toBe(4)
    const [first, second] = await Promise.all([home.start(['migrate']).ended, home.start(['migrate']).ended])
    expect([first.code, second.code]).toEqual([0, 0])
    expect((await home.run('migrate', '--check')).code).toBe(0)
    await home.serveInProcess()
    await home.signUp('ada@example.com')
    const list = await home.run('subscription', 'list', '--json')
    expect([list.code, list.stdout]).toEqual([0, expect.stringContaining('ada@example.com')])
    const token = await home.token('root', 'admin')
    const ada = { email: 'ada@example.com', name: 'Ada', roles: [] }
    expect((await fetch(`${home.url}/users/u1`, asAdmin(token, 'PUT', ada))).status).toBe(201)
    const deletion = await home.run('user', 'delete', 'u1', '--yes', '--subscriptions', 'erase')
    expect(deletion.code).toBe(0)
    expect(await database.query('SELECT 1 FROM subscription')).toEqual([])
    expect((await home.run('audit', 'verify')).code).toBe(0)
  })

  it('says what is wrong with the server or its address, with exit code 4', async () => {
    const { port } = new URL(inject('postgres').url)
    await using impostor = await Impostor.open()
    const wrong: [string, RegExp][] = [
      ['postgres://postgres@127.0.0.1:1/nowhere', /cannot be reached/],
      [`postgres://postgres@127.0.0.1:${port || 5432}/nowhere`, /does not have this database/],
      ['postgres://127.0.0.1/x?sslmode=prefer', /sslmode 'prefer'/],
      ['postgres://127.0.0.1:1,127.0.0.1:2/nowhere', /127\.0\.0\.1:1,127\.0\.0\.1:2.* cannot be reached/],
      [`postgres://127.0.0.1:${impostor.port}/x?sslmode=verify-full`, /no certificate that can be trusted/],
      [`postgres://postgres@127.0.0.1:${port || 5432}/postgres?sslmode=verify-full`, /does not encrypt/],
    ]
    for (const [url, why] of wrong) {
      await using home = await Home.make({ DATABASE_URL: url })
      const { code, stderr } = await home.run('migrate')
      expect([url, code, stderr]).toEqual([url, 4, expect.stringMatching(why)])
    }
  })
})
