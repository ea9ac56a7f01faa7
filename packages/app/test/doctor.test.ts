import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY, HOUR, operator, type WebhookName } from '@rollcall/core'
import { openSqliteStorage } from '@rollcall/storage-sql/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Composition } from '../src/composition.ts'
import { readConfig } from '../src/config.ts'
import { databaseOf } from '../src/database.ts'
import { judgedDisk } from '../src/doctor/check-data.ts'
import { judgedFeedback } from '../src/doctor/check-feedback.ts'
import { judgedRelay } from '../src/doctor/check-mail.ts'
import { compared, ofNoMatter } from '../src/doctor/check-tokens.ts'
import { alike, diagnosed } from './diagnosed.ts'
import { freePort } from './free-port.ts'
import { IdentityProvider } from './identity-provider.ts'
import { MailSink } from './mail-sink.ts'
import { Home } from './running-service.ts'
import { withComposition } from './with-composition.ts'

const PASSWORD = 'correct-horse-battery'
let home: Home
beforeEach(async () => {
  home = await Home.make({ LOG_LEVEL: 'silent' })
})
afterEach(() => home[Symbol.asyncDispose]())

interface Order {
  readonly ahead?: number
  readonly sendTo?: string
  readonly [setting: Uppercase<string>]: string
}

/** What a check found, as one text for each finding. */
const examined = async (check: string, { ahead = 0, sendTo, ...settings }: Order = {}) => {
  const clock = { now: () => Date.now() + ahead }
  const { texts, all } = await diagnosed(check, { sendTo, environment: home.environment(settings), clock })
  expect(all).not.toContain(PASSWORD)
  return texts
}
const finds = async (check: string, expected: unknown, order?: Order) =>
  expect(await examined(check, order)).toEqual(alike(expected))

const withUseCases = (work: (useCases: Composition['useCases']) => Promise<unknown>) =>
  withComposition(path.join(home.folder, 'data'), ({ useCases }) => work(useCases))

const openStorage = async () => {
  const storage = await openSqliteStorage({ file: path.join(home.folder, 'data/rollcall.db') })
  return { ...storage, [Symbol.asyncDispose]: () => storage.close() }
}

const begin = async (): Promise<void> => {
  await home.run('migrate')
  await home.run('user', 'put', 'ada', '--email', 'ada@example.com')
}

const contents = async (): Promise<Record<string, string>> => {
  const names = await readdir(home.folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'base64')] as const)),
  )
}

describe('rollcall doctor', () => {
  it('finds a service that runs in order, and changes nothing beside it', async () => {
    await begin()
    await home.serveInProcess()
    const { code, stdout, stderr } = await home.run('doctor')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ok {7}server: One runs at http:\/\/127\.0\.0\.1:\d+, and is ready\.$/m)
    expect(stdout).toMatch(/^ok {7}storage: .* is up to date, and sound\.$/m)
    expect(stdout).toMatch(/^ok {7}secret: .* is that of this database\.$/m)
    expect(stdout).toMatch(/^warning {2}mail relay: No relay is configured: mails become files in /m)
  })

  it('leaves every byte as it was, and makes no file', async () => {
    const nothing = await home.run('doctor')
    expect([nothing.code, await contents()]).toEqual([3, {}])
    expect(nothing.stdout).toMatch(/^failed {3}storage: There is no database .* yet\. Go to the folder/m)
    await begin()
    const before = await contents()
    expect((await home.run('doctor', '--json')).code).toBe(0)
    expect(await contents()).toEqual(before)
  })

  it('reports everything that is wrong with the configuration at once, and exits 4', async () => {
    expect(await home.runWith({ PROT: '80', TRACE: 'yes', SECRET: 'short' }, 'doctor')).toEqual({
      code: 4,
      stdout: expect.stringMatching(/^(failed {3}configuration: .*\n){3}$/),
      stderr: 'error: Nothing else can be checked before the configuration is right.\n',
    })
    await mkdir(path.join(home.folder, '.env'))
    const unreadable = await home.run('doctor', '--json')
    expect([unreadable.code, unreadable.stdout, JSON.parse(unreadable.stderr)]).toEqual([
      4,
      '',
      { error: 'StartupError', message: expect.stringContaining('.env cannot be read') },
    ])
  })

  it('refuses an address that no mail can go to', async () => {
    await expect(examined('mail relay', { sendTo: 'nobody' })).rejects.toMatchObject({ name: 'InvalidInput' })
  })
})

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('fails where others may read what is in it, each with the command that closes it', async () => {
    await begin()
    const data = path.join(home.folder, 'data')
    for (const [name, mode] of Object.entries({ '': 0o755, 'rollcall.db': 0o644, 'signing-keys.json': 0o604 }))
      await chmod(path.join(data, name), mode)
    await finds('data folder', [
      `failed: The data folder ${data} is open to other users. Close it: chmod 700 ${data}`,
      `failed: The key file ${data}/signing-keys.json is open to other users. Close it: chmod 600 ${data}/signing-keys.json`,
      `failed: The database ${data}/rollcall.db is open to other users. Close it: chmod 600 ${data}/rollcall.db`,
    ])
    await chmod(path.join(data, 'secret'), 0o644)
    expect(await examined('data folder')).toContain(
      `failed: The secret in ${data}/secret is open to other users. Close it: chmod 600 ${data}/secret`,
    )
    for (const check of ['secret', 'access tokens', 'audit trail'])
      expect([check, await examined(check)]).toEqual([check, []])
  })

  it('reports something else in its place', async () => {
    await writeFile(path.join(home.folder, 'data'), '')
    await finds('data folder', /^failed: .* is not a folder/)
  })
})

describe('the storage', () => {
  it('fails where it is damaged, and says where it is older', async () => {
    await begin()
    const file = path.join(home.folder, 'data/rollcall.db')
    await writeFile(file, 'no database at all '.repeat(300))
    await finds('storage', /^failed: .*damaged or no SQLite database.*backup/)
    await finds('outbox', [])
    await writeFile(file, '')
    await finds('storage', /^warning: .*older version.*rollcall migrate/)
  })

  it('says where it is newer, and whether this version works on it', async () => {
    await begin()
    const upgrade = (needs: string) => {
      using database = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'))
      database.prepare("INSERT OR REPLACE INTO rollcall_migration (name, needs) VALUES ('0002-next', ?)").run(needs)
    }
    upgrade('0001-initial')
    await finds('storage', /^ok: .*newer version, on which this one works/)
    upgrade('0002-next')
    await finds('storage', /^failed: .*newer version \(0002-next\)/)
  })

  it('fails with another secret, or without one', async () => {
    await begin()
    await finds('secret', /^failed: The one in ROLLCALL_SECRET is not that of this database\. Put it back/, {
      SECRET: 'x'.repeat(40),
    })
    await rm(path.join(home.folder, 'data/secret'))
    await finds('secret', /^failed: .*missing/)
  })

  it('fails with a trail whose seal does not hold, and warns of one that is never sealed', async () => {
    await begin()
    await finds('audit trail', 'ok: It is sealed up to record 1.')
    const eve = { userId: 'eve', email: 'eve@example.com', name: '', roles: [] }
    await withUseCases(async ({ putUser }) => void (await putUser.execute(eve, operator('ops'))))
    await finds('audit trail', 'ok: It is sealed up to record 1; not sealed yet: 1.')
    await finds(
      'audit trail',
      /^warning: Records have waited for their seal for more than 10 seconds \(1 in all\)\. A running server/,
      { ahead: HOUR },
    )
    await withUseCases(async ({ sealAudit }) => void (await sealAudit.execute()))
    await finds('audit trail', 'ok: It is sealed up to record 2.')
    const AUDIT_ANCHOR = path.join(home.folder, 'anchor')
    for (const [text, found] of [
      [
        `3-3.${'0'.repeat(64)}.1.${'0'.repeat(64)}`,
        /^failed: It ends with record 2, but .*anchor has a seal on record 3\./,
      ],
      ['nothing', /^failed: What .*anchor holds is not a seal.*audit verify/],
    ] as const) {
      await writeFile(AUDIT_ANCHOR, text)
      await finds('audit trail', expect.stringMatching(found), { AUDIT_ANCHOR })
    }
    await finds('audit trail', /^failed: ROLLCALL_AUDIT_ANCHOR: there is no folder/, {
      AUDIT_ANCHOR: path.join(home.folder, 'absent/anchor'),
    })
    await finds('audit trail', /^failed: The seal on record 2 was not made with this secret.*audit verify/, {
      SECRET: 'x'.repeat(40),
    })
  })

  it('fails with mails that no server sends, and warns of those that wait for a person', async () => {
    await begin()
    await withUseCases(async ({ subscribe }) => {
      const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
      await subscribe.execute({ email: 'eve@example.com', source })
    })
    await finds('outbox', 'ok: 1 mail waits.')
    const late = 'failed: Mails have been due for 60 min, and no server runs. Start it with `rollcall serve`.'
    await finds('outbox', late, { ahead: HOUR })
    await using storage = await openStorage()
    await storage.unitOfWork.run(async ({ outbox }) => {
      const [mail] = await outbox.claim({ owner: 'w', limit: 1, leaseFor: 1_000 })
      const parked = { id: mail?.id ?? 0, notBefore: undefined, attempted: true, error: 'no' }
      await outbox.giveBack('w', [parked])
    })
    await finds(
      'outbox',
      'warning: 1 mail waits for a person. See `rollcall outbox list --parked`, then `rollcall outbox retry --all-parked`.',
    )
  })

  it('tells a server that is behind from none, and from one that takes nothing', async () => {
    await begin()
    await withUseCases(async ({ subscribe, putWebhook, putUser, sealer }) => {
      const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
      for (const name of ['eve', 'bob']) await subscribe.execute({ email: `${name}@example.com`, source })
      await putWebhook.execute({ name: 'shop', url: 'https://shop.example/' }, operator('root'))
      await putUser.execute({ userId: 'ada', email: 'ada@example.com', name: '', roles: [] }, operator('root'))
      await sealer.seal()
    })
    const late = async () =>
      (await Promise.all(['outbox', 'webhooks', 'sign-ups'].map((check) => examined(check, { ahead: HOUR })))).flat()
    const lock = await databaseOf(readConfig(home.environment())).lockForServing()
    await using storage = await openStorage()
    try {
      const asked = { kind: 'preferences', addressKey: 'eve@example.com' } as const
      await storage.unitOfWork.run(({ requests }) => requests.add({ at: Date.now(), address: undefined, asked }))
      expect(await late()).toEqual([
        'failed: Mails have been due for 60 min, and the server that runs has none of them under way. See its log.',
        'failed: Events have been due for 60 min, and the server that runs has none of them under way. See its log.',
        expect.stringMatching(/^warning: Sign-ups have waited for 60 min: the server that runs is behind, or /),
      ])
      const claim = { owner: 'w', limit: 1, leaseFor: HOUR }
      await storage.unitOfWork.run(async ({ outbox, webhookDeliveries, events }) => {
        await outbox.claim(claim)
        const webhook = 'shop' as WebhookName
        const [event] = (await events.list({ after: 0, limit: 1 })).items
        await webhookDeliveries.add(webhook, [event!, { ...event!, position: 99, subject: 'another' }])
        await webhookDeliveries.claim({ ...claim, webhook })
      })
      expect(await late()).toEqual([
        expect.stringMatching(/^warning: Mails have been due for 60 min: a server has 1 under way, and is behind\. /),
        expect.stringMatching(/^warning: Events have been due for 60 min: a server has 1 under way, and is behind\. /),
        expect.stringMatching(/^warning: Sign-ups have waited for 60 min: /),
      ])
    } finally {
      lock.release()
    }
  })

  it('fails with events that no server sends, and warns of those that wait for a person, or whose webhook is disabled', async () => {
    await begin()
    await finds('webhooks', 'ok: No event is pending.')
    const url = 'https://shop.example/'
    const root = operator('root')
    await withUseCases(async ({ putWebhook, putUser, sealer }) => {
      await putWebhook.execute({ name: 'shop', url }, root)
      await putUser.execute({ userId: 'ada', email: 'ada@example.com', name: '', roles: [] }, root)
      await sealer.seal()
    })
    await finds('webhooks', 'ok: No event is pending.')
    const late = 'failed: Events have been due for 60 min, and no server runs. Start it with `rollcall serve`.'
    await finds('webhooks', late, { ahead: HOUR })
    const name = 'shop' as WebhookName
    await using storage = await openStorage()
    await storage.unitOfWork.run(async ({ webhookDeliveries, events }) => {
      const { items } = await events.list({ after: 0, limit: 1 })
      await webhookDeliveries.add(name, items)
      const [delivery] = await webhookDeliveries.claim({ webhook: name, owner: 'w', limit: 1, leaseFor: 1_000 })
      const parked = { id: delivery?.id ?? 0, notBefore: undefined, attempted: true, error: 'no' }
      await webhookDeliveries.giveBack('w', [parked])
    })
    const disabledFor = (because: 'gone' | 'by-hand' | 'failing' | undefined) =>
      storage.unitOfWork.run(async ({ webhooks }) => {
        const webhook = await webhooks.find(name)
        if (webhook) await webhooks.put({ ...webhook, disabled: because && { because, since: 0 } })
      })
    await disabledFor('gone')
    const parkedAndGone = [
      /^warning: 1 event waits for a person\./,
      'warning: The webhook shop is disabled: it answered 410. Once it is well, `rollcall webhook set shop --enabled` sends what has waited.',
    ]
    await finds('webhooks', parkedAndGone)
    const failed = { cursor: 1, failures: 9, failingSince: Date.now() - HOUR, pausedUntil: 0 }
    await storage.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.putProgress(name, failed))
    await finds('webhooks', parkedAndGone)
    await disabledFor(undefined)
    const tired = 'has taken nothing for 60 min. The last error in `rollcall outbox list` says why.'
    expect((await examined('webhooks')).at(-1)).toBe(`warning: The webhook shop ${tired}`)
    const well = { ...failed, failures: 0, failingSince: undefined }
    await storage.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.putProgress(name, well))
    await storage.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.prune(Number.MAX_SAFE_INTEGER, 9))
    await disabledFor('failing')
    await finds('webhooks', /^warning: The webhook shop is disabled: it accepted nothing for three days\. /)
    await disabledFor('by-hand')
    await finds('webhooks', 'ok: No event is pending.')
    await disabledFor(undefined)
    await storage.unitOfWork.run(async ({ webhookDeliveries, events }) =>
      webhookDeliveries.add(name, (await events.list({ after: 0, limit: 1 })).items),
    )
    await finds('webhooks', 'ok: At least 1 event waits.')
  })

  it('fails with records from the future: the clock was wrong, or is', async () => {
    await begin()
    await finds('clock', 'ok: No record is from the future.')
    await finds('clock', /^failed: The newest record is 1440 min in the future\. Set the clock/, { ahead: -DAY })
  })

  it('fails with a full disk, and warns before', () => {
    const MIB = 1024 * 1024
    expect(judgedDisk(10 * MIB, 0, '/data').status).toBe('failed')
    expect(judgedDisk(900 * MIB, 0, '/data').status).toBe('warning')
    expect(judgedDisk(2_000 * MIB, 3_000 * MIB, '/data')).toMatchObject({ status: 'warning' })
    const free = { status: 'ok', message: '2.0 GiB are free on the disk of /data.' }
    expect(judgedDisk(2_000 * MIB, 10 * MIB, '/data')).toMatchObject(free)
  })
})

describe('the identity provider', () => {
  it('is asked for its keys and for the time', async () => {
    await begin()
    let issuer = ''
    {
      await using provider = await IdentityProvider.start()
      issuer = provider.issuer
      const settings = { AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'rollcall' }
      await finds(
        'access tokens',
        [
          `ok: The identity provider ${issuer} publishes its keys at ${issuer}/jwks.`,
          'ok: The id of a user is the claim sub of its tokens.',
        ],
        settings,
      )
      await finds('clock', "ok: It goes with the identity provider's.", settings)
      const ahead = { ...settings, ahead: HOUR }
      await finds('clock', /^failed: It is (59|60) min ahead of the identity provider's/, ahead)
    }
    await finds(
      'access tokens',
      [/^failed: .*ECONNREFUSED.*Check ROLLCALL_AUTH_ISSUER/, 'ok: The id of a user is the claim sub of its tokens.'],
      { AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'rollcall' },
    )
  })

  it('may be apart by a few seconds', () => {
    const statuses = [0, 5_000, -5_000, 20_000, -90_000].map((apart) => compared(apart).status)
    expect(statuses).toEqual(['ok', 'ok', 'ok', 'warning', 'failed'])
    expect(compared(20_000).message).toBe("It is 20 s behind the identity provider's.")
  })

  it('is of no matter beside that of a database, however far it is off', () => {
    expect([0, 5_000, 20_000, -DAY].map((apart) => ofNoMatter(apart))).toEqual([
      ...Array(2).fill({ status: 'ok', message: "It goes with the database's, which decides.", remedy: undefined }),
      { status: 'ok', message: "It is 20 s behind the database's.", remedy: expect.stringContaining('depends on it') },
      { status: 'ok', message: "It is 1440 min ahead of the database's.", remedy: expect.any(String) },
    ])
  })

  it('is not asked where own tokens are used: then there is a key, or will be', async () => {
    await finds('access tokens', /^warning: There is no key/)
    await begin()
    await finds('access tokens', 'ok: Own ones, signed with one key; no other verifies.')
    await writeFile(path.join(home.folder, 'data/signing-keys.json'), '{')
    await finds('access tokens', /^failed: .*is not a JWK set/)
  })
})

describe('the mail relay', () => {
  const MAIL_FROM = 'News <news@example.com>'

  it('is connected to, gets a test mail where one is asked for, and none otherwise', async () => {
    await begin()
    await using sink = await MailSink.open()
    const settings = { SMTP_URL: sink.url, MAIL_FROM, PUBLIC_URL: 'https://www.example.com' }
    await finds('mail relay', /^ok: 127\.0\.0\.1:\d+ answers\.$/, settings)
    expect(sink.mails).toEqual([])
    const [, sent] = await examined('mail relay', { ...settings, sendTo: 'ops@example.com' })
    expect(sent).toBe('ok: It took a test mail for ops@example.com. See whether it arrives.')
    expect(sink.mails).toMatchObject([{ to: 'ops@example.com' }])
    await finds('sender', 'ok: Mails come from example.com.', settings)
  })

  it('fails where it cannot be used, and nothing shows the password', async () => {
    const settings = { SMTP_URL: `smtp://me:${PASSWORD}@127.0.0.1:1`, MAIL_FROM }
    await finds('mail relay', /^failed: .*ECONNREFUSED 127\.0\.0\.1:\d+\. Check ROLLCALL_SMTP_URL/, settings)
    await using sink = await MailSink.open()
    const unasked = { SMTP_URL: sink.url.replace('//', `//me:${PASSWORD}@`), MAIL_FROM }
    await finds('mail relay', /^failed: .*asks for no name/, unasked)
    await finds('mail relay', /^failed: No relay is configured, so no test mail was sent/, {
      sendTo: 'ops@example.com',
    })
  })

  it('is judged by its certificate', () => {
    const now = Date.UTC(2026, 0, 1)
    const of = (distrust: string | undefined, expires: number | undefined) =>
      judgedRelay({ host: 'smtp.example.com', port: 587, login: 'taken', protection: { distrust, expires } }, now).map(
        ({ status, message }) => `${status}: ${message}`,
      )
    const relay = 'smtp.example.com:587'
    expect(of(undefined, now + 90 * DAY)).toEqual([`ok: ${relay} answers, encrypted, and takes the password.`])
    expect(of(undefined, now + 5 * DAY)).toEqual([`warning: The certificate of ${relay} expires in 5 days.`])
    expect(of('CERT_HAS_EXPIRED', now - DAY)).toEqual([
      `warning: The certificate of ${relay} proves nothing (CERT_HAS_EXPIRED).`,
      `warning: The certificate of ${relay} has expired.`,
    ])
    const open = { host: 'smtp.example.com', port: 25, login: 'none', protection: undefined } as const
    expect(judgedRelay(open, now)).toMatchObject([
      { status: 'warning', message: expect.stringContaining('can be read') },
    ])
  })

  it('is not given mails of a sender that no relay takes mails from', async () => {
    await finds('sender', /^failed: Mails come from localhost.*ROLLCALL_MAIL_FROM/, {
      SMTP_URL: 'smtp://127.0.0.1:1',
    })
    await finds('sender', /^warning: Mails come from example\.com, and their links lead to news\.example\.org/, {
      MAIL_FROM,
      PUBLIC_URL: 'https://news.example.org',
    })
    await finds('sender', [])
  })
})

describe('what the world sees', () => {
  it('is an https address, behind proxies that are believed, with a limit', async () => {
    const settings = { PUBLIC_URL: 'https://news.example.com', TRUST_PROXY: '1', RATE_LIMIT: '20/1m' }
    await finds('public address', /^ok: .*one-click.*DKIM/, settings)
    await finds('clients', 'ok: They are distinguished by address, and limited.', settings)
    await finds(
      'clients',
      [/^warning: They may send forms as often/, /^warning: A proxy stands in front.*ROLLCALL_TRUST_PROXY/],
      { ...settings, TRUST_PROXY: '0', RATE_LIMIT: 'off' },
    )
    await finds('public address', /^warning: .*not https/, { PUBLIC_URL: 'http://news.example.com' })
  })

  it('are pages and mails whose files can be used', async () => {
    const pages = path.join(home.folder, 'data/pages')
    await mkdir(pages, { recursive: true, mode: 0o700 })
    await writeFile(path.join(pages, 'nl.json'), '{"signUp": {"sumbit": "Aanmelden"}}')
    await finds('mails and pages', /^failed: .*'signUp\.sumbit' is not known/)
  })

  it('is not the service of another folder', async () => {
    await home.serveInProcess()
    await finds('server', `ok: One runs at ${home.url}, and is ready.`)
    const DATA_DIR = path.join(home.folder, 'other')
    const databaseFile = path.join(DATA_DIR, 'rollcall.db')
    const elsewhere = `warning: A Rollcall service answers at ${home.url}, but not for ${databaseFile}: no process serves`
    await finds('server', expect.stringContaining(elsewhere), { DATA_DIR })
    const { migrate, lockForServing } = databaseOf({ databaseFile, postgresUrl: undefined })
    await migrate()
    const lock = await lockForServing()
    lock.release()
    await finds('server', expect.stringContaining(elsewhere), { DATA_DIR })
    // On PostgreSQL any number of services may work.
    const DATABASE_URL = 'postgres://rollcall@127.0.0.1:1/nothing'
    await finds('server', `ok: A Rollcall service runs at ${home.url}, and is ready.`, { DATABASE_URL })
  })

  it('is no other server at the same port', async () => {
    await finds('server', `warning: None runs at ${home.url}. Start it with \`rollcall serve\`.`)
    const other = http.createServer((_, res) => res.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const PORT = String((other.address() as AddressInfo).port)
    await finds('server', /^failed: Something else answers at/, { PORT })
    const unready = JSON.stringify({ status: 'unavailable', storage: 'ok', outbox: 'stuck' })
    other.removeAllListeners('request').on('request', (_, res) => {
      res.writeHead(503, { 'X-Request-Id': 'a' }).end(unready)
    })
    const { lockForServing } = databaseOf(readConfig(home.environment()))
    const lock = await lockForServing()
    await finds('server', /^failed: One runs .* not ready.*stuck/, { PORT })
    other.removeAllListeners('request').on('request', (_, res) => {
      res.writeHead(503, { 'X-Request-Id': 'a' }).end('{"error":"Unavailable","message":"It is stopping."}')
    })
    await finds('server', /^warning: .* is stopping\./, { PORT })
    lock.release()
    other.closeAllConnections()
    other.close()
  })
})

describe('the console', () => {
  const PORT = { CONSOLE_PORT: '0' }
  beforeEach(async () => {
    PORT.CONSOLE_PORT = String(await freePort())
  })

  it('is looked for where there is one', async () => {
    await finds('console', [])
    await finds(
      'console',
      'warning: ROLLCALL_CONSOLE_URL is set, but there is no console. Set ROLLCALL_CONSOLE_PORT, too.',
      { CONSOLE_URL: 'https://console.example.com' },
    )
    await finds('console', /^warning: Nothing answers at/, PORT)
  })

  it('answers where a service runs, also behind a proxy, and is no other server', async () => {
    const settings = { ...PORT, CONSOLE_URL: 'https://console.example.com' }
    await home[Symbol.asyncDispose]()
    home = await Home.make({ LOG_LEVEL: 'silent', ...settings })
    await home.serveInProcess()
    await finds('console', /^ok: It answers at/)
    const elsewhere = { PORT: String(await freePort()), CONSOLE_PORT: new URL(home.url).port }
    await finds('console', /^failed: Something else answers at/, elsewhere)
  })

  it('has texts that can be used', async () => {
    await mkdir(path.join(home.folder, 'data'), { recursive: true, mode: 0o700 })
    await writeFile(path.join(home.folder, 'data/console.json'), '{"health": {"titel": "x"}}')
    await finds('console', /^failed: .*'health\.titel' is not known/, PORT)
  })
})

describe('bounces and complaints', () => {
  const settings = {
    BOUNCE_ADDRESS: 'bounces@news.example.com',
    FEEDBACK_SES_TOPICS: ['arn:aws:sns:eu-west-1:123456789012:bounces'],
    ...{ FEEDBACK_POSTMARK_SECRET: undefined, FEEDBACK_SENDGRID_KEY: undefined },
    SMTP_URL: 'smtp://localhost',
    publicUrl: 'https://news.example.com',
  }
  const statuses = (changes: Partial<typeof settings>, servers: 'some' | 'none' | 'unknown' = 'some') =>
    judgedFeedback({ ...settings, ...changes }, servers).map(({ status }) => status)

  it('reach the service over https, and by a mail server of the domain', () => {
    expect(statuses({})).toEqual(['ok', 'ok'])
    expect(statuses({}, 'none')).toEqual(['ok', 'warning'])
    expect(statuses({}, 'unknown')).toEqual(['ok', 'warning'])
    expect(statuses({ publicUrl: 'http://127.0.0.1:8080' })).toEqual(['warning', 'ok'])
  })

  it('are looked for in the mailbox that is set, and what is wrong with it is named without its password', async () => {
    const url = `imaps://user:${PASSWORD}@127.0.0.1:${await freePort()}/Bounces`
    const found = await examined('bounces', { BOUNCE_ADDRESS: 'bounces@news.invalid', FEEDBACK_IMAP_URL: url })
    expect(found.join('\n')).toMatch(
      /failed.*mailbox at 127\.0\.0\.1 cannot be read: ECONNREFUSED.*the host and the port/s,
    )
    expect(found.join('\n')).not.toContain(PASSWORD)
  })

  it('are not looked for where nothing is set up', () => {
    const nothing = { ...settings, BOUNCE_ADDRESS: undefined, FEEDBACK_SES_TOPICS: [] }
    expect(judgedFeedback(nothing, 'unknown')).toEqual([])
  })
})
