import { expect } from 'vitest'
import { EventReceiver } from './event-receiver.ts'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { Load } from './postgres/load.ts'
import { Home, type Process } from './running-service.ts'
import { FirstRelease } from './upgrade-first-release.ts'
import { askForAnHour, HOUR, linkOf } from './upgrade-hour.ts'

/** `before` the migration, and `after` it, with the first release still serving. */
const ROUNDS = ['before', 'after'] as const
type Round = (typeof ROUNDS)[number]

/** What becomes of the addresses of an hour. */
const STATUSES = { confirmed: 'confirmed', pending: 'pending', ended: 'ended', refused: 'ended', imported: 'pending' }

/** A service of the first release, on data of its own. */
export interface Upgrade {
  readonly old: Home
  readonly server: Process
  /** For a service of this version on the same database. */
  readonly settings: Readonly<Record<string, string>>
  readonly sink: MailSink
  readonly receiver: EventReceiver
  readonly tokens: { readonly admin: string; readonly nobody: string; readonly gone: Readonly<Record<Round, string>> }
}

export const ask = async (home: Home, token: string, method: string, place: string, body?: object) => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${home.url}${place}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), text: await answer.text() }
}

export const statusOf = async (...request: Parameters<typeof ask>): Promise<number> => (await ask(...request)).status

/** Starts the first release. All that it needs ends with `own`. */
export const startFirstRelease = async (
  own: AsyncDisposableStack,
  more: Readonly<Record<string, string>> = {},
): Promise<Upgrade> => {
  const release = own.use(await FirstRelease.checkOut())
  const sink = own.use(await MailSink.open())
  const receiver = own.use(await EventReceiver.open())
  const secret = { SECRET: 'a secret that is long enough for a test of an upgrade' }
  const settings = { ...secret, SMTP_URL: sink.url, WEBHOOK_ALLOW: '127.0.0.1', ...more }
  const old = own.use(await Home.make(settings, release.main))
  const server = await old.serveUnwatched()
  const [admin, nobody, before, after] = await Promise.all([
    old.token('root', 'admin'),
    old.token('nobody'),
    old.token('gone-before'),
    old.token('gone-after'),
  ])
  expect(await statusOf(old, admin, 'PUT', '/webhooks/here', { url: receiver.url })).toBe(201)
  return { old, server, settings, sink, receiver, tokens: { admin, nobody, gone: { before, after } } }
}

/** The first release answers everything as it did in its first hour; its mails and its events arrive. */
export const expectAnHour = async ({ old, sink, receiver, tokens }: Upgrade, round: Round): Promise<void> => {
  const answers = await askForAnHour(old, sink, { ...tokens, gone: tokens.gone[round] }, round)
  expect(answers).toEqual(HOUR)
  const isTold = () =>
    receiver.taken.some(({ type, subject }) => type === 'user.deleted' && subject === `gone-${round}`)
  await eventually(isTold, `that the event of the round '${round}' is sent`)
}

/** Migrates by the command line of this version, under sign-ups that all succeed. Returns how many there were. */
export const migrateUnderLoad = async ({ old }: Upgrade, now: Home): Promise<number> => {
  expect((await now.run('migrate', '--check')).code).toBe(3)
  await using load = new Load(old.port)
  const signUps = () => load.outcomes.get('200') ?? 0
  await eventually(() => signUps() > 0, 'that sign-ups are answered before the migration')
  const { code, stdout, stderr } = await now.start(['migrate']).ended
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('0002-roles-on-record'), ''])
  const until = signUps()
  await eventually(() => signUps() > until, 'that sign-ups are answered after the migration')
  await load.end()
  expect(load.outcomes).toEqual(new Map([['200', expect.any(Number)]]))
  expect((await now.run('migrate', '--check')).code).toBe(0)
  return signUps()
}

/** Everything that the first release answered for is there in this version, which serves. */
export const expectEverything = async (
  { sink, tokens: { admin, nobody, gone } }: Upgrade,
  now: Home,
  signUps: number,
): Promise<void> => {
  const { text } = await ask(now, admin, 'GET', '/subscriptions/export')
  const stored = new Map<string, string>()
  for (const line of text.trimEnd().split('\n')) {
    const { email, status } = JSON.parse(line) as { email: string; status: string }
    stored.set(email, status)
  }
  for (const round of ROUNDS) {
    for (const [name, status] of Object.entries(STATUSES))
      expect([name, round, stored.get(`${name}-${round}@example.com`)]).toEqual([name, round, status])
    expect(JSON.parse((await ask(now, admin, 'GET', `/users/kept-${round}`)).text)).toMatchObject({
      ...{ id: `kept-${round}`, email: `kept-${round}@example.com`, name: 'Some One', roles: ['admin', 'auditor'] },
    })
    expect(await statusOf(now, admin, 'GET', `/users/gone-${round}`)).toBe(410)
    expect(await statusOf(now, gone[round], 'GET', '/users')).toBe(401)
    for (const [name, purpose, status] of [
      ['pending', 'confirm', 'confirmed'],
      ['confirmed', 'unsubscribe', 'ended'],
    ] as const) {
      const email = `${name}-${round}@example.com`
      const followed = await fetch(`${now.url}/${purpose}/${await linkOf(sink, email, purpose)}`, { method: 'POST' })
      expect([email, followed.status]).toEqual([email, 200])
      const { items } = JSON.parse((await ask(now, admin, 'GET', `/subscriptions?email=${email}`)).text)
      expect(items).toMatchObject([{ email, status }])
    }
  }
  expect(await statusOf(now, nobody, 'GET', '/users')).toBe(403)
  const isOfLoad = (email: string) => email.startsWith('client-')
  expect([...stored].filter(([email, status]) => isOfLoad(email) && status === 'pending')).toHaveLength(signUps)
  const mailed = () => [...sink.byAddress()].filter(([email]) => isOfLoad(email))
  await eventually(() => mailed().length === signUps, 'that every sign-up has its mail, whichever release sends it')
  expect(mailed().filter(([, ids]) => ids.size !== 1)).toEqual([])
  const { code, stdout } = await now.run('audit', 'verify')
  expect([code, stdout]).toEqual([0, expect.stringContaining('The audit trail holds')])
}
