import { operator } from '@rollcall/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ConsoleOptions, ProviderLogin } from '../src/index.ts'
import { type OpenConsole, openConsole, type TestBrowser } from './support/open-console.ts'

let at: OpenConsole
beforeEach(async () => {
  at = await openConsole()
})
afterEach(async () => {
  expect(at.problems).toEqual([])
  await at.close()
})

const ADMIN = operator('setup')
const putUser = (id: string, ...roles: string[]) =>
  at.useCases.putUser.execute({ userId: id, email: `${id}@example.com`, name: '', roles }, ADMIN)
const isIn = async (browser: TestBrowser) => (await browser.get('/')).status === 200

describe('another site', () => {
  const FOREIGN: readonly Readonly<Record<string, string | undefined>>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': undefined, Origin: undefined },
    { 'Sec-Fetch-Site': undefined, Origin: 'null' },
    { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': undefined, Origin: 'http://127.0.0.1:1' },
  ]

  it('cannot send a form in the name of who is logged in', async () => {
    const browser = await at.loggedIn()
    for (const headers of FOREIGN) expect((await browser.post('/logout', {}, headers)).status).toBe(403)
    expect(await isIn(browser)).toBe(true)
    const bare = { 'Sec-Fetch-Site': undefined, Origin: at.url }
    expect((await browser.post('/logout', {}, bare)).status).toBe(303)
    expect(await isIn(browser)).toBe(false)
  })

  it('finds nothing that a session has left in the browser', async () => {
    const browser = await at.loggedIn()
    const { headers } = await browser.post('/logout')
    expect(headers['clear-site-data']).toBe('"cache", "storage"')
    expect(String(headers['set-cookie'])).toMatch(/Max-Age=0/)
    expect((await browser.get('/login')).headers).not.toHaveProperty('clear-site-data')
  })

  it('cannot listen to a console that has TLS, and binds no browser to one that has none', async () => {
    expect((await at.browser().get('/login')).headers).not.toHaveProperty('strict-transport-security')
    const own = await openConsole({ url: 'https://console.example.com' })
    const { headers } = await own.browser().get('/login')
    await own.close()
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  it('cannot log a browser in with a link of its own', async () => {
    for (const headers of FOREIGN) {
      const victim = at.browser()
      expect((await victim.post('/login', { link: await at.link() }, headers)).status).toBe(403)
      expect(victim.cookie).toBeUndefined()
    }
  })

  it('cannot show a page in a frame, nor have it run anything that is not a file of the console', async () => {
    const browser = await at.loggedIn()
    for (const path of ['/', '/login', '/missing', '/users']) {
      const { headers } = await browser.get(path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    }
  })

  it('cannot have its own name point here', async () => {
    const browser = await at.loggedIn()
    const { port } = at
    const misdirected = [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      '127.0.0.1:1',
      `localhost.evil.example:${port}`,
    ]
    for (const host of misdirected) {
      expect((await browser.get('/', { Host: host })).status).toBe(421)
      // To the browser it is the page's own site.
      const own = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' }
      expect((await browser.post('/logout', {}, own)).status).toBe(421)
      expect((await at.browser().post('/login', { link: await at.link() }, own)).status).toBe(421)
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await browser.get('/', { Host: host })).status).toBe(200)
  })

  it('cannot be the place where a login leads', async () => {
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/login']) {
      const { text } = await at.browser().get(`/login?to=${encodeURIComponent(to)}`)
      expect(text).not.toContain('evil')
    }
  })
})

describe('a login link', () => {
  it('does nothing when it is fetched, and works once when its button is pressed', async () => {
    const secret = await at.link()
    for (let times = 0; times < 3; times++) expect((await at.browser().get(`/login/${secret}`)).status).toBe(200)
    const browser = at.browser()
    expect((await browser.post('/login', { link: secret })).status).toBe(303)
    expect(await isIn(browser)).toBe(true)
    const thief = at.browser()
    expect((await thief.post('/login', { link: secret })).status).toBe(401)
    expect(thief.cookie).toBeUndefined()
  })
})

describe('a login that is refused', () => {
  const counting = async (more: Partial<ConsoleOptions> = {}) => {
    const reasons: string[] = []
    const warnings: object[] = []
    const log = { debug: () => undefined, warn: (fields: object) => void warnings.push(fields), error: () => undefined }
    const console = await openConsole({ ...more, log, onLoginRefused: (reason) => void reasons.push(reason) })
    const recorded = async () => {
      await console.useCases.refusals.flush()
      const { items } = await console.storage.readers.audit.list({ after: 0, limit: 200 })
      return items.filter(({ outcome }) => outcome !== 'done')
    }
    return { ...console, reasons, warnings, recorded, [Symbol.asyncDispose]: console.close }
  }

  it('is counted by its reason, logged and on record, and tells nothing of who tried', async () => {
    await using own = await counting()
    const answer = await own.browser().post('/login', { link: 'f'.repeat(64) }, { 'X-Request-Id': 'r-1' })
    expect(answer.status).toBe(401)
    expect((await own.browser().post('/login', {})).status).toBe(401)
    await own.useCases.putUser.execute({ userId: 'ada', email: 'ada@example.com', name: '', roles: [] }, ADMIN)
    const link = await own.link('ada')
    await own.useCases.suspendUser.execute({ userId: 'ada' }, ADMIN)
    expect((await own.browser().post('/login', { link })).status).toBe(401)
    expect(own.reasons).toEqual(['link', 'link', 'user'])
    expect(own.warnings[0]).toMatchObject({ request_id: 'r-1', reason: 'link', failed_check: 'link' })
    const record = { action: 'session.begin', actor: 'not logged in', channel: 'console', outcome: 'Unauthenticated' }
    expect(await own.recorded()).toMatchObject([
      { ...record, requestId: 'r-1', target: undefined },
      { ...record, target: undefined },
      { ...record, target: 'ada' },
    ])
    expect(JSON.stringify([await own.recorded(), own.warnings])).not.toMatch(/ffff|@/)
  })

  it('is so too where it comes no further than to the identity provider, or from nowhere', async () => {
    const issuer = 'http://127.0.0.1:9'
    const provider = new ProviderLogin({
      ...{ issuer, clientId: 'console', clientSecret: undefined, scope: 'openid', subjectClaim: 'sub' },
    })
    await using own = await counting({ provider })
    expect((await own.browser().post('/login/provider', {})).status).toBe(401)
    expect((await own.browser().get('/login/callback?error=access_denied&state=x')).status).toBe(401)
    const browser = own.browser()
    browser.cookies.set(`rollcall-login-${own.port}`, 'state.nonce.verifier.Lw')
    expect((await browser.get('/login/callback?error=access_denied&state=state')).status).toBe(401)
    expect(own.reasons).toEqual(['provider', 'state', 'provider'])
    expect((await own.recorded()).map(({ action, target, count }) => [action, target, count])).toEqual(
      own.reasons.map(() => ['session.begin', undefined, 1]),
    )
  })

  it('is not what a browser without a session is, nor what is no login at all', async () => {
    await using own = await counting()
    expect((await own.browser().get('/users')).status).toBe(303)
    expect((await own.browser().post('/logout')).status).toBe(401)
    expect((await own.browser().post('/login', { link: 'x' }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await own.browser().postBody('/login', 'text/plain', 'link=x')).status).toBe(415)
    expect([own.reasons, await own.recorded()]).toEqual([[], []])
  })
})

describe('a session', () => {
  it('is a cookie that scripts and other sites do not have', async () => {
    const { headers } = await at.browser().post('/login', { link: await at.link() })
    expect(headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^rollcall-console-${at.port}=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Lax$`),
    )
  })

  it('is left alone by a console on another port, to which a browser sends it, too', async () => {
    const other = await openConsole()
    const browser = await at.loggedIn()
    const { status, headers } = await other.request('GET', '/', { Cookie: browser.cookie })
    await other.close()
    expect([status, headers['set-cookie'], await isIn(browser)]).toEqual([303, undefined, true])
  })

  it('over https is a cookie of this host alone', async () => {
    const secure = await openConsole({ url: 'https://console.example.com' })
    const { headers } = await secure.browser().post('/login', { link: await secure.link() })
    await secure.close()
    expect(headers['set-cookie']?.[0]).toMatch(
      /^__Host-rollcall-console=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('is not given without protection where a proxy keeps the host to itself', async () => {
    const secure = await openConsole({ url: 'https://console.example.com' })
    const behind = {
      Host: `127.0.0.1:${secure.port}`,
      Origin: 'https://console.example.com',
      'Sec-Fetch-Site': 'same-origin',
    }
    const { status, headers } = await secure.browser().post('/login', { link: await secure.link() }, behind)
    await secure.close()
    expect([status, headers['set-cookie']]).toEqual([421, undefined])
  })

  it('of an attacker who planted a real one ends when the victim logs in', async () => {
    await putUser('mallory', 'auditor')
    const attacker = await at.loggedIn('mallory')
    const victim = at.browser()
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
    await victim.post('/login', { link: await at.link() })
    expect([await isIn(victim), await isIn(attacker)]).toEqual([true, false])
  })

  it('is nothing to guess, nor to be given twice', async () => {
    const browser = await at.loggedIn()
    const [[name, secret] = ['', '']] = [...browser.cookies]
    for (const cookie of ['', 'x', secret.slice(1), `${secret}0`, secret.toUpperCase()])
      expect((await at.request('GET', '/', { Cookie: `${name}=${cookie}` })).status).toBe(303)
    const twice = `${name}=${'b'.repeat(64)}; ${name}=${secret}`
    expect((await at.request('GET', '/', { Cookie: twice })).status).toBe(303)
  })

  it('may do no more than its user may now', async () => {
    for (const id of ['root', 'ada', 'bob']) await putUser(id, 'admin')
    const browser = await at.loggedIn('ada')
    await putUser('ada', 'auditor')
    const page = await browser.get('/users/bob')
    expect([page.status, page.text.includes('/users/bob/delete')]).toEqual([200, false])
    expect((await browser.get('/users/bob/delete')).status).toBe(403)
    expect((await browser.post('/users/bob/delete', { updated: '0', count: '0' })).status).toBe(403)
    expect((await browser.post('/deletions', { ids: 'bob' })).status).toBe(403)
    // Also of what is typed wrong: no form is shown that is not theirs, and each refusal is on record, once.
    for (const path of ['/webhooks/-/new', '/feeds/-/new', '/feeds/default/face'])
      expect((await browser.post(path, { title: 'x', fields: '{' })).status).toBe(403)
    await at.useCases.refusals.flush()
    const { items } = await at.storage.readers.audit.list({ after: 0, limit: 200 })
    const refused = items.filter(({ outcome }) => outcome === 'InsufficientPermissions')
    expect(refused.map(({ action, target, count }) => [action, target, count ?? 1])).toEqual([
      ['user.delete', 'bob', 1],
      ['user.delete', undefined, 1],
      ['webhook.put', undefined, 1],
      ['feed.put', undefined, 1],
      ['feed.put', 'default', 1],
    ])
    expect(await at.useCases.getUser.execute({ userId: 'bob' }, ADMIN)).toMatchObject({ id: 'bob' })
  })

  it('that was stolen is worth nothing once its owner logs out', async () => {
    const [owner, thief] = [await at.loggedIn(), at.browser()]
    for (const [name, value] of owner.cookies) thief.cookies.set(name, value)
    expect(await isIn(thief)).toBe(true)
    await owner.post('/logout')
    expect(await isIn(thief)).toBe(false)
  })

  it('of a user who is demoted or suspended in the middle of a deletion deletes nobody more', async () => {
    for (const id of ['root', 'ada', 'bob']) await putUser(id, 'admin')
    const ids = Array.from({ length: 250 }, (_, n) => `u${n}`)
    for (const id of ids) await putUser(id)
    const left = async () => {
      const found = ids.map((userId) => at.useCases.getUser.execute({ userId }, ADMIN).catch(() => undefined))
      return (await Promise.all(found)).filter((user) => user !== undefined).length
    }
    const browsers = [await at.loggedIn('ada'), await at.loggedIn('bob')]
    const runs: [TestBrowser, string][] = []
    for (const browser of browsers) {
      const path = (await browser.post('/deletions', { ids: ids.join('\n') })).headers.location ?? ''
      while ((await browser.get(path)).text.includes('data-goes-on')) await browser.post(path)
      runs.push([browser, path])
    }
    const [[demoted, first], [suspended, second]] = runs as [[TestBrowser, string], [TestBrowser, string]]
    expect((await demoted.post(first, { begin: 'deleting', typed: '250' })).status).toBe(303)
    expect(await left()).toBe(50)
    await putUser('ada', 'auditor')
    expect((await demoted.post(first)).status).toBe(403)
    await at.useCases.suspendUser.execute({ userId: 'bob' }, ADMIN)
    expect((await suspended.post(second, { begin: 'deleting', typed: '250' })).status).toBe(401)
    expect(await left()).toBe(50)
    expect(await isIn(suspended)).toBe(false)
  })

  it('that an administrator ended is over in the browser that had it', async () => {
    const stolen = await at.loggedIn()
    const browser = await at.loggedIn()
    const { items } = await at.useCases.listConsoleSessions.execute({}, ADMIN)
    await browser.send(`/sessions/${items[0]?.id}/end`)
    expect([await isIn(stolen), await isIn(browser)]).toEqual([false, true])
  })

  it('comes with no token, on no other page, and by no other way', async () => {
    const { token } = await at.tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 60 })
    for (const headers of [{ Authorization: `Bearer ${token}` }, { Cookie: `rollcall-console-${at.port}=${token}` }])
      expect((await at.request('GET', '/users', headers)).headers.location).toBe('/login?to=%2Fusers')
  })
})

describe('what is sent', () => {
  it('is a form of a bearable size, by a known method', async () => {
    const browser = await at.loggedIn()
    expect((await browser.post('/find', {}, { 'Content-Type': 'application/json' })).status).toBe(415)
    expect((await browser.post('/find', {}, { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await browser.post('/find', { q: 'x'.repeat(70_000) })).status).toBe(413)
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE'])
      expect((await at.request(method, '/', { Cookie: browser.cookie })).status).toBe(405)
    for (const path of ['/nothing', '/users/%', '/users/a/b/c', '//', '/users/'])
      expect((await browser.get(path)).status).toBe(404)
    for (const [method, path, allow] of [
      ['POST', '/audit', 'GET, HEAD'],
      ['GET', '/find', 'POST'],
      ['POST', '/style.css', 'GET, HEAD'],
      ['PUT', '/users/-/new', 'GET, HEAD, POST'],
      ['DELETE', '/login', 'GET, HEAD, POST'],
    ] as const) {
      const { status, headers } = await at.request(method, path, { Cookie: browser.cookie })
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, allow])
    }
  })

  it('is not sent a style sheet again that it has, also where a proxy has made its tag weak', async () => {
    const { headers } = await at.request('GET', '/style.css')
    const zipped = await at.request('GET', '/style.css', { 'Accept-Encoding': 'gzip, br' })
    expect([headers.vary, headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([
      'Accept-Encoding',
      undefined,
      'gzip',
    ])
    expect(zipped.headers.etag).not.toBe(headers.etag)
    for (const [tag, status] of [
      [headers.etag, 304],
      [`W/${headers.etag}`, 304],
      ['"another"', 200],
    ] as const)
      expect((await at.request('GET', '/style.css', { 'If-None-Match': String(tag) })).status).toBe(status)
  })

  it('is shown as text, whatever it is', async () => {
    const name = `<img src=x onerror=alert(1)>"'&`
    await at.useCases.putUser.execute({ userId: 'x"><script>', email: 'x@example.com', name, roles: [] }, ADMIN)
    const browser = await at.loggedIn()
    for (const path of ['/users', `/users/${encodeURIComponent('x"><script>')}`]) {
      const { text } = await browser.get(path)
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
      expect(text).not.toContain('<script>')
    }
  })
})
