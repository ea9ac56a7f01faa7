import type { TurnedAwayBy } from '@rollcall/core'
import { solveMemoryChallenge } from '@rollcall/core/memory'
import { describe, expect, it } from 'vitest'
import { CHALLENGE_SCRIPT, CHALLENGE_SCRIPT_VERSION } from '../src/pages/challenge-script.ts'
import { openServer } from './support/open-server.ts'

const turnedAway: TurnedAwayBy[] = []
const metrics = { turnedAway: (rule: TurnedAwayBy) => void turnedAway.push(rule) }

const challenged = async (challenge = true, corsOrigins: readonly string[] = []) => {
  turnedAway.length = 0
  const server = await openServer({ corsOrigins, funnel: metrics }, undefined, { challenge, metrics })
  const solve = async () => solveMemoryChallenge(JSON.parse((await server.request('GET', '/challenge')).body))
  return { ...server, solve }
}

type Challenged = Awaited<ReturnType<typeof challenged>>
const detailsOf = ({ body }: { body: string }) => JSON.parse(body).details.map(({ field }: { field: string }) => field)

/** Every way to send a form that requests a mail. */
const WAYS = [
  ['a form', '/subscribe', 'form', {}],
  ['JSON', '/subscribe', 'json', {}],
  ['a page', '/subscribe', 'form', { Accept: 'text/html' }],
  ['a form', '/preferences', 'form', {}],
  ['a page', '/preferences', 'form', { Accept: 'text/html' }],
] as const

describe('GET /challenge', () => {
  it('returns another challenge each time, which no cache keeps', async () => {
    const server = await challenged()
    const answers = [await server.request('GET', '/challenge'), await server.request('GET', '/challenge')]
    for (const { status, headers } of answers) {
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    }
    expect(answers[0]?.body).not.toBe(answers[1]?.body)
  })

  it('is 404 if no challenge is required, and forms need none', async () => {
    const server = await challenged(false)
    for (const path of ['/challenge', '/challenge.js']) {
      const { status, body } = await server.request('GET', path)
      expect([status, JSON.parse(body).error]).toEqual([404, 'NotFound'])
    }
    expect((await server.request('POST', '/subscribe', { form: { email: 'ada@example.com' } })).status).toBe(200)
    const { body, headers } = await server.request('GET', '/subscribe', { headers: { Accept: 'text/html' } })
    expect(body).not.toMatch(/<script|data-challenge|<noscript/)
    expect(headers['content-security-policy']).not.toContain('script-src')
  })

  it('is open to scripts of configured origins, and to no others', async () => {
    const server = await challenged(true, ['https://site.example'])
    const ask = (method: string, Origin: string) =>
      server.request(method, '/challenge', { headers: { Origin, 'Access-Control-Request-Method': 'GET' } })
    const allowed = { 'access-control-allow-origin': 'https://site.example' }
    expect((await ask('GET', 'https://site.example')).headers).toMatchObject(allowed)
    const preflight = { ...allowed, 'access-control-allow-methods': 'GET' }
    expect((await ask('OPTIONS', 'https://site.example')).headers).toMatchObject(preflight)
    expect((await ask('GET', 'https://other.example')).headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe.each(WAYS)('a challenge, sent as %s to %s', (_name, path, kind, headers) => {
  const email = 'ada@example.com'
  const send = (server: Challenged, fields: Record<string, string>) =>
    server.request('POST', path, { [kind]: fields, headers })

  it('must be solved: a missing, wrong or late solution is 422', async () => {
    const server = await challenged()
    const old = await server.solve()
    server.clock.advance(60 * 60_000)
    for (const altcha of [undefined, '', 'nonsense', 'x'.repeat(10_000), old]) {
      const { status } = await send(server, altcha === undefined ? { email } : { email, altcha })
      expect(status).toBe(422)
    }
    expect(turnedAway).toEqual(Array.from({ length: 5 }, () => 'challenge'))
    await server.useCases.deliverOutbox.execute({ limit: 10 })
    expect(server.transport.mails).toEqual([])
  })

  it('is valid for one form', async () => {
    const server = await challenged()
    const altcha = await server.solve()
    expect((await send(server, { email, altcha })).status).toBe(200)
    expect((await send(server, { email, altcha })).status).toBe(422)
    expect((await send(server, { email: 'bob@example.com', altcha })).status).toBe(422)
  })

  it('is not used up by a form that is refused for another reason', async () => {
    const server = await challenged()
    const altcha = await server.solve()
    expect((await send(server, { email: 'no address', altcha })).status).toBe(422)
    expect(turnedAway).toEqual(['invalid-input'])
    expect((await send(server, { email, altcha })).status).toBe(200)
  })
})

describe('a challenge that is not solved', () => {
  it('is reported under the name of its field, whatever the form contains, honeypot and unknown feed included', async () => {
    const server = await challenged()
    const wrongs: Record<string, string>[] = [{}, { website: 'x' }, { feed: 'unheard-of' }, { email: 'no address' }]
    for (const more of wrongs) {
      const form = { email: 'ada@example.com', ...more }
      expect(detailsOf(await server.request('POST', '/subscribe', { form }))).toEqual(['altcha'])
    }
  })
})

describe('a page with a challenge', () => {
  it.each(['/subscribe', '/preferences'])(
    'at %s runs only our script, and explains what to do without scripts',
    async (path) => {
      const server = await challenged()
      const get = () => server.request('GET', path, { headers: { Accept: 'text/html', 'Accept-Language': 'de' } })
      const [one, other] = [await get(), await get()]
      const nonceOf = ({ headers }: typeof one) =>
        /script-src 'nonce-([^']+)'/.exec(headers['content-security-policy'] as string)?.[1]
      expect(nonceOf(one)).toMatch(/^[A-Za-z0-9+/]{22}==$/)
      expect(nonceOf(one)).not.toBe(nonceOf(other))
      expect(one.headers['content-security-policy']).toContain("worker-src 'self'; connect-src 'self'")
      expect(one.body.match(/<script[^>]*>/g)).toEqual([
        `<script src="challenge.js?v=${CHALLENGE_SCRIPT_VERSION}" nonce="${nonceOf(one)}" defer>`,
      ])
      expect(one.body).toContain('data-challenge="challenge"')
      expect(one.body).toMatch(/<noscript><p class="alarm">Um Roboter fernzuhalten/)
      expect(one.body).not.toMatch(/ on\w+=/)
    },
  )
})

describe('GET /challenge.js', () => {
  it('is a script, cached for a year under the URL with its version and for an hour under any other', async () => {
    const server = await challenged()
    const ask = (query: string) => server.request('GET', `/challenge.js${query}`)
    const { status, headers, body } = await ask(`?v=${CHALLENGE_SCRIPT_VERSION}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(body).toBe(CHALLENGE_SCRIPT)
    for (const query of ['', '?v=old', `?v=${CHALLENGE_SCRIPT_VERSION}&v=x`])
      expect((await ask(query)).headers['cache-control']).toBe('public, max-age=3600')
  })
})
