import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { CONSOLE_CLIENT, CookieJar, LoginProvider } from './login-provider.ts'
import { Home } from './running-service.ts'

const sessionAt = (url: string) => `rollcall-console-${new URL(url).port}`
const heading = async (answer: Response) => /<h1>(.*?)<\/h1>/.exec(await answer.text())?.[1]

describe('a service with a console', () => {
  let home: Home
  let url: string
  beforeAll(async () => {
    const port = String(await freePort())
    home = await Home.make({ CONSOLE_PORT: port })
    url = `http://127.0.0.1:${port}`
    await home.serveInProcess()
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
  })

  const link = async (...args: readonly string[]) => (await home.run('console', 'login', ...args)).stdout.trim()
  const logIn = async (address: string) => {
    const jar = new CookieJar()
    const answer = await jar.fetch(`${url}/login`, { link: address.slice(address.lastIndexOf('/') + 1) })
    return { jar, status: answer.status }
  }
  const sessions = async () => JSON.parse((await home.run('console', 'sessions', '--json')).stdout).items

  it('is reached by a printed link, once, and its sessions are listed and ended from the command line', async () => {
    const address = await link()
    expect(address).toMatch(new RegExp(`^${url}/login/[0-9a-f]{64}$`))
    expect(await heading(await fetch(address))).toBe('Log in')
    const { jar, status } = await logIn(address)
    expect([status, (await logIn(address)).status]).toEqual([303, 401])
    expect(await heading(await jar.fetch(`${url}/health`))).toBe('Health')
    const [session, ...others] = await sessions()
    expect([others, session.subject]).toEqual([[], expect.stringMatching(/^operator:/)])
    const ended = await home.run('console', 'sessions', '--end', session.id)
    expect(ended).toMatchObject({ code: 0, stdout: `Ended the session ${session.id}.\n` })
    expect((await jar.fetch(`${url}/health`)).status).toBe(303)
    expect(await home.run('console', 'sessions', '--end', session.id)).toMatchObject({ code: 3 })
  })

  it('is not on the public port, which reads no cookie', async () => {
    const { jar } = await logIn(await link())
    const cookie = `${sessionAt(url)}=${jar.of(url).get(sessionAt(url))}`
    for (const path of ['/login', '/health', '/deletions', '/style.css'])
      expect((await fetch(`${home.url}${path}`, { headers: { Cookie: cookie } })).status).toBe(404)
    expect((await fetch(`${home.url}/users`, { headers: { Cookie: cookie } })).status).toBe(401)
  })

  it('does every page on a real database, and the whole of a deletion', async () => {
    const { jar } = await logIn(await link())
    for (const userId of ['a', 'b']) await home.run('user', 'put', userId, '--email', `${userId}@example.com`)
    const places = `health outbox outbox/events feedback undeliverable users subscriptions suppressions feeds transfer
      webhooks tokens audit sessions`
    for (const path of ['', ...places.split(/\s+/)])
      expect([path, (await jar.fetch(`${url}/${path}`)).status]).toEqual([path, 200])
    for (const kind of ['confirmation', 'already-subscribed'])
      expect((await jar.fetch(`${url}/feeds/default/mail?lang=de&kind=${kind}`)).status).toBe(200)
    await home.run('feed', 'put', 'reminding', '--remind-after', '2d')
    const reminder = await (await jar.fetch(`${url}/feeds/reminding/mail?lang=de&kind=reminder`)).text()
    expect(reminder).toContain('Erinnerung')
    const form = await (await jar.fetch(`${url}/feeds/default/form.html?lang=de`)).text()
    expect(form).toMatch(/<html lang="de".*<style>.*action="subscribe"/s)
    const planned = await jar.fetch(`${url}/deletions`, { ids: 'a\nb\nmissing' })
    const run = `${url}${planned.headers.get('location')}`
    expect((await jar.fetch(run, { begin: 'deleting', typed: '2' })).status).toBe(303)
    const report = await (await jar.fetch(`${run}/report.csv`)).text()
    const rows = ['1,a,deleted,', '2,b,deleted,', '3,missing,refused,UserNotFound']
    expect(report.trim().split('\r\n').slice(1)).toEqual(rows)
    expect((await jar.fetch(`${url}/users/a`)).status).toBe(410)
  })

  it('cannot be logged in to where there is none', async () => {
    const without = await Home.make()
    await without.run('migrate')
    const { code, stderr } = await without.run('console', 'login')
    await without[Symbol.asyncDispose]()
    expect([code, stderr]).toEqual([4, expect.stringContaining('ROLLCALL_CONSOLE_PORT')])
  })
})

describe('a console with an identity provider', () => {
  let home: Home
  let provider: LoginProvider
  let metrics: number
  let url: string
  beforeAll(async () => {
    const port = String(await freePort())
    metrics = await freePort()
    url = `http://127.0.0.1:${port}`
    provider = await LoginProvider.start(`${url}/login/callback`)
    home = await Home.make({
      ...{ CONSOLE_PORT: port, METRICS_PORT: String(metrics), AUTH_FEEDS_CLAIM: 'feeds' },
      ...{ CONSOLE_CLIENT_ID: CONSOLE_CLIENT.id, CONSOLE_CLIENT_SECRET: CONSOLE_CLIENT.secret },
      ...{ AUTH_ISSUER: provider.issuer, AUTH_AUDIENCE: 'https://rollcall.example/api' },
    })
    await home.serveInProcess()
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const begin = async (jar: CookieJar) => await jar.fetch(`${url}/login/provider`, { to: '/health' })
  /** As far as the answer of the provider, which is not sent. */
  const answered = async (jar: CookieJar) =>
    (await jar.follow(await begin(jar), `${url}/login/provider`, `${url}/login/callback`)).url
  const logIn = async () => {
    const jar = new CookieJar()
    const { url: last, answer } = await jar.follow(await begin(jar), `${url}/login/provider`)
    return { jar, last, answer }
  }

  it('logs in there, by code, PKCE, state and nonce, and keeps every token to itself', async () => {
    const { jar, last, answer } = await logIn()
    expect([last, await heading(answer)]).toEqual([`${url}/health`, 'Health'])
    const asked = Object.fromEntries(provider.asked.at(-1) ?? [])
    expect(asked).toMatchObject({ response_type: 'code', response_mode: 'query', code_challenge_method: 'S256' })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(40)
    expect(asked.scope).toBe('openid')
    expect([...jar.of(url).keys()]).toEqual([sessionAt(url)])
    expect(jar.of(url).get(sessionAt(url))).toMatch(/^[0-9a-f]{64}$/)
  })

  it('gives the roles of the token to who is not stored, and those of storage to who is', async () => {
    provider.person = { id: 'bob', roles: ['auditor'] }
    const { jar } = await logIn()
    expect([(await jar.fetch(`${url}/users`)).status, (await jar.fetch(`${url}/deletions`)).status]).toEqual([200, 403])
    await home.run('user', 'put', 'bob', '--email', 'bob@example.com', '--role', 'admin')
    expect((await jar.fetch(`${url}/deletions`)).status).toBe(200)
    provider.person = { id: 'ada', roles: ['admin'] }
  })

  it('logs in where the access token has the nonce of the login, too', async () => {
    provider.putsNonceIntoAccessTokens = true
    const { last, answer } = await logIn()
    provider.putsNonceIntoAccessTokens = false
    expect([last, await heading(answer)]).toEqual([`${url}/health`, 'Health'])
  })

  it('takes an answer only in the browser that asked, and only once', async () => {
    const jar = new CookieJar()
    const callback = await answered(jar)
    expect((await new CookieJar().fetch(callback)).status).toBe(401)
    const other = new CookieJar()
    await answered(other)
    expect((await other.fetch(callback)).status).toBe(401)
    expect((await jar.fetch(callback)).status).toBe(303)
    expect((await jar.fetch(callback)).status).toBe(401)
  })

  it('does not log in where the provider refuses', async () => {
    const jar = new CookieJar()
    const callback = new URL(await answered(jar))
    callback.searchParams.set('code', 'another')
    expect((await jar.fetch(callback.href)).status).toBe(401)
    expect((await jar.fetch(`${url}/login/callback?error=access_denied&state=x`)).status).toBe(401)
    expect(jar.of(url).has(sessionAt(url))).toBe(false)
  })

  it('makes nobody an operator by name, nor forgets that a login is bound to feeds; each refusal is on record', async () => {
    const counted = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
      const series = /^rollcall_console_logins_refused_total\{reason="(.*)"\} (\d+)$/gm
      return Object.fromEntries([...text.matchAll(series)].map(([, reason, count]) => [reason, Number(count)]))
    }
    const before = await counted()
    expect(Object.keys(before).sort()).toEqual(['feeds', 'link', 'provider', 'state', 'token', 'user'])
    const people = [
      { id: 'operator:root', roles: [] },
      { id: 'OPERATOR:root', roles: ['admin'] },
      { id: 'cyd', roles: ['auditor', 'sender'] },
      { id: 'dan', roles: ['auditor'], feeds: ['weekly'] },
    ]
    for (const person of people) {
      provider.person = person
      const { jar, answer } = await logIn()
      expect([person.id, answer.status, jar.of(url).has(sessionAt(url))]).toEqual([person.id, 401, false])
    }
    provider.person = { id: 'ada', roles: ['admin'] }
    expect(await counted()).toEqual({ ...before, token: (before.token ?? 0) + 2, feeds: (before.feeds ?? 0) + 2 })
    const refused = async () => {
      const { stdout } = await home.run('audit', 'list', '--json')
      const records: { action: string; outcome: string; target: string | null }[] = JSON.parse(stdout).items
      return records
        .filter(({ action, outcome }) => action === 'session.begin' && outcome === 'Unauthenticated')
        .slice(-people.length)
        .map(({ target }) => target)
    }
    await eventually(async () => (await refused()).at(-1) === 'dan', 'that the refusals are on record')
    expect(await refused()).toEqual([null, null, 'cyd', 'dan'])
  })

  it('is reached by a printed link all the same', async () => {
    const { stdout } = await home.run('console', 'login')
    expect(stdout).toContain(`${url}/login/`)
  })
})
