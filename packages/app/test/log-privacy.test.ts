import net from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { Home, type Process } from './running-service.ts'
import { spanLinesOf } from './watched-services.ts'

const PEOPLE = ['zoe.quartz', 'yan.umber', 'xia.topaz', 'wim.sable', 'vic.ruby'] as const
const DOMAIN = 'personal.example'
const addressOf = (person: string): string => `${person}@${DOMAIN}`
const NAME = 'Zoe Quartzenbach'

/** Everything that was submitted, mailed or issued and must not be found in the log or a span, in whatever case. */
const secrets = new Set<string>([...PEOPLE, DOMAIN, NAME, encodeURIComponent(NAME)])

const HTML = { Accept: 'text/html' }
const TRACED_BY_ITS_CALLER = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: `caller=${addressOf(PEOPLE[0])}`,
  baggage: `caller=${addressOf(PEOPLE[0])}`,
}

describe('the log of a service at its most talkative', () => {
  let home: Home
  let server: Process
  let sink: MailSink
  let admin: string

  beforeAll(async () => {
    sink = await MailSink.open()
    home = await Home.make({ LOG_LEVEL: 'debug', SMTP_URL: sink.url, RATE_LIMIT: '1000/1m', TRUST_PROXY: '1' })
    server = await home.serve()
    admin = await home.token('root', 'admin')
    secrets.add(admin)
    for (const part of admin.split('.')) secrets.add(part)
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  const ask = async (method: string, path: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(home.url + path, { method, redirect: 'manual', ...init })
    return await answer.text()
  }
  const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
    body: new URLSearchParams(fields),
    headers: { 'X-Forwarded-For': '203.0.113.77', 'User-Agent': `Agent of ${NAME}`, ...headers },
  })
  const json = (value: unknown, headers: Record<string, string> = {}): RequestInit => ({
    body: JSON.stringify(value),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  const asAdmin = (init: RequestInit = {}): RequestInit => ({
    ...init,
    headers: { ...init.headers, Authorization: `Bearer ${admin}` },
  })

  /** The links of the mails to a person, once there are so many mails. */
  const linksTo = async (person: string, count: number): Promise<string[]> => {
    const mails = () => sink.mails.filter(({ to }) => to === addressOf(person))
    await eventually(() => mails().length >= count, `that ${person} has ${count} mails`)
    expect([person, mails().length]).toEqual([person, count])
    const text = mails()
      .map((mail) => mail.text.replace(/=\r\n/g, '').replaceAll('=3D', '='))
      .join('\n')
    const paths = [...text.matchAll(/http:\/\/[^/\s"<>]+(\/(?:confirm|refuse|unsubscribe|preferences)\/[\w.-]+)/g)]
    const found = [...new Set(paths.map(([, path = '']) => path.replace(/\.$/, '')))]
    for (const path of found) secrets.add(path.split('/')[2] ?? '')
    return found
  }

  const raw = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = net.connect(home.port, '127.0.0.1', () => socket.end(text))
      socket
        .resume()
        .on('close', () => resolve())
        .on('error', () => resolve())
    })

  const csv = (body: string): RequestInit => ({ body, headers: { 'Content-Type': 'text/csv' } })

  /** What senders and administrators do with an address. */
  const handle = async (email: string): Promise<void> => {
    const imported = await ask(
      'POST',
      '/suppressions/import',
      asAdmin(csv(`email,cause\n${email},complaint\n${NAME},x\n`)),
    )
    expect(imported).toMatch(/"imported":1,.*"refused":1,/)
    expect(await ask('POST', '/suppressions/check', asAdmin(json({ addresses: [email, NAME] })))).toContain('complaint')
    const users = `id,email,name\nu-9,${email},${NAME}\n${email},${email},\n`
    expect(await ask('POST', '/users/import', asAdmin(csv(users)))).toMatch(/"imported":1,"refused":1,/)
    const bounce = { kind: 'bounce', address: email, permanent: true, provider_id: email }
    expect(await ask('POST', '/feedback', asAdmin(json({ items: [bounce] })))).toBe('')
    await ask('POST', '/feedback', asAdmin(json({ items: [{ ...bounce, kind: NAME }] })))
    await ask('POST', '/feedback/ses', { body: JSON.stringify({ Message: email }) })
    for (const path of ['/suppressions', '/undeliverable', '/tokens'])
      await ask('DELETE', `${path}/${email}`, asAdmin())
    await ask('PATCH', '/users/u-9', asAdmin(json({ email: `${email}, ${NAME}` })))
    await ask('POST', `/users/${email}/suspend`, asAdmin(json({ reason: NAME })))
    await ask('POST', '/users/u-9/suspend', asAdmin(json({ reason: NAME })))
    await ask('GET', `/feeds/${email}/recipients`, asAdmin())
    await ask('POST', `/preferences/${email}/move`, form({ email }))
    for (const purpose of ['move', 'undo', 'manage']) await ask('GET', `/${purpose}/${email}`, { headers: HTML })
  }

  it('has no address, no name, no token and no client in it, whatever is done', async () => {
    const [zoe, yan, xia] = PEOPLE
    const email = addressOf(zoe)
    await ask('POST', '/subscribe', form({ email, name: NAME }))
    await ask('POST', '/subscribe', form({ email, name: NAME }, HTML))
    await ask('POST', '/subscribe', json({ email: addressOf(yan), name: NAME }))
    await ask('POST', '/subscribe', form({ email: addressOf(xia), website: NAME }))
    await ask('POST', '/subscribe', form({ email: `${email} is no address`, name: NAME, feed: NAME, locale: NAME }))
    await ask('POST', '/subscribe', json({ email: [email], name: { name: NAME } }))
    await ask('POST', '/subscribe', { body: `{"email":"${email}"`, headers: { 'Content-Type': 'application/json' } })
    await ask('POST', '/subscribe', { body: email, headers: { 'Content-Type': 'text/plain' } })
    await ask('POST', '/subscribe', form({ email: email.repeat(2_000) }))

    for (const path of await linksTo(zoe, 1)) {
      await ask('GET', path, { headers: HTML })
      await ask('HEAD', path)
      await ask('GET', `${path}x`)
    }
    const linksOf = (links: readonly string[], purpose: string) =>
      links.filter((path) => path.startsWith(`/${purpose}/`))
    for (const path of linksOf(await linksTo(zoe, 1), 'confirm')) {
      await ask('POST', path)
      await ask('POST', path, { headers: HTML })
    }
    for (const path of linksOf(await linksTo(yan, 1), 'refuse')) await ask('POST', path)
    for (const path of linksOf(await linksTo(zoe, 1), 'unsubscribe'))
      await ask('POST', path, { body: 'List-Unsubscribe=One-Click' })
    for (const person of PEOPLE) {
      await ask('POST', '/preferences', form({ email: addressOf(person) }))
      await ask('POST', '/preferences', form({ email: addressOf(person) }, HTML))
    }

    await ask('PUT', `/users/${email}`, asAdmin(json({ email, name: NAME, roles: ['auditor'] })))
    await ask('PUT', '/users/u-1', asAdmin(json({ email, name: NAME, roles: ['auditor'] })))
    await ask('PUT', '/users/u-2', asAdmin(json({ email, name: NAME, roles: [] })))
    const token = await home.token('u-1')
    secrets.add(token)
    await ask('DELETE', '/users/u-1', { headers: { Authorization: `Bearer ${token}` } })
    await ask('DELETE', '/users/u-1', { headers: { Authorization: `Bearer ${token}x` } })
    await ask('GET', `/users?query=${encodeURIComponent(email)}`, asAdmin())
    await ask('GET', `/subscriptions?email=${encodeURIComponent(email)}`, asAdmin())
    await ask('GET', `/subscriptions/explain?email=${encodeURIComponent(email)}`, asAdmin())
    await ask('GET', '/users/u-1/export', asAdmin())
    await ask('DELETE', `/users/u-1?reason=${encodeURIComponent(NAME)}`, asAdmin())
    await ask('DELETE', '/users/u-1?subscriptions=erase', asAdmin())

    await handle(addressOf(PEOPLE[3]))

    await ask('GET', `/nowhere/${email}?token=${token}&name=${encodeURIComponent(NAME)}`)
    await ask('GET', `/${encodeURIComponent(NAME)}`, {
      headers: { 'X-Request-Id': email, Referer: `http://x/${email}` },
    })
    await ask('POST', '/subscribe', form({ email }, TRACED_BY_ITS_CALLER))
    await raw(`TRACE /${email} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`)
    await raw(`GET /${email} HTTP/1.1\r\nHost: ${DOMAIN}\r\nHost: ${DOMAIN}\r\n\r\n`)
    await raw(`${email} ${NAME}\r\n\r\n`)
    await raw(
      `POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"email":"${email}"`,
    )
    expect(await leaks(server)).toEqual([])
  })

  it('does not repeat what a relay says of an address', async () => {
    const relay = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onRcptTo: ({ address }, _session, done) => {
        const responseCode = address.startsWith(PEOPLE[3]) ? 550 : 451
        done(Object.assign(new Error(`<${address}> of ${NAME}: not here`), { responseCode }))
      },
    })
    relay.on('error', () => undefined)
    const listening = relay.listen(0, '127.0.0.1')
    await new Promise((resolve) => listening.once('listening', resolve))
    const { port } = listening.address() as net.AddressInfo
    try {
      await using refused = await Home.make({ LOG_LEVEL: 'debug', SMTP_URL: `smtp://127.0.0.1:${port}` })
      const service = await refused.serve()
      for (const person of [PEOPLE[3], PEOPLE[4]]) await refused.signUp(addressOf(person), { name: NAME })
      for (const words of ['is parked', 'will be tried again'])
        await eventually(() => service.stdout.includes(words), `that it says '${words}'`)
      expect(await leaks(service)).toEqual([])
    } finally {
      await new Promise<void>((resolve) => relay.close(() => resolve()))
    }
  })
})

/** Every line of a service's output, and every span, that has something of a person in it, once the service has ended. */
const leaks = async (service: Process): Promise<string[]> => {
  const { stdout, stderr } = await service.kill('SIGTERM')
  const spans = spanLinesOf(service.child.pid ?? 0)
  const lines = [...`${stdout}\n${stderr}`.split('\n'), ...spans]
  // It did speak, and of what was done.
  for (const words of ['"route":"/subscribe"', '"level":"debug"', 'stopped']) expect(stdout).toContain(words)
  const names = spans.map((line) => JSON.parse(line).name)
  for (const name of ['POST /subscribe', 'SubscribeUseCase', 'transaction', 'mail confirmation'])
    expect(names).toContain(name)
  const secretTexts = [...secrets, '203.0.113.77', '203.0.113', 'eyJ'].map((secret) => secret.toLowerCase())
  return lines.filter((line) => secretTexts.some((secret) => secret !== '' && line.toLowerCase().includes(secret)))
}
