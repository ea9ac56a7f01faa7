import type { IncomingMessage } from 'node:http'
import type { TurnedAwayBy } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { clientKeyOf } from '../src/client-address.ts'
import type { HttpOptions } from '../src/index.ts'
import { CountingLimiter } from './support/counting-limiter.ts'
import type { RequestOptions } from './support/exchange.ts'
import { openServer } from './support/open-server.ts'

const limited = async (quota: number, settings: Partial<HttpOptions> = {}) => {
  const rateLimiter = new CountingLimiter(quota)
  const turnedAway: TurnedAwayBy[] = []
  const funnel = { turnedAway: (rule: TurnedAwayBy) => void turnedAway.push(rule) }
  const server = await openServer({ rateLimiter, funnel, ...settings })
  const subscribe = (options: RequestOptions = {}) =>
    server.request('POST', '/subscribe', { form: { email: 'ada@example.com' }, ...options })
  return { server, rateLimiter, turnedAway, subscribe }
}

const statusesOf = async (count: number, ask: () => Promise<{ status: number }>): Promise<number[]> => {
  const statuses = []
  for (let i = 0; i < count; i++) statuses.push((await ask()).status)
  return statuses
}

describe('a limited endpoint', () => {
  it('accepts as many forms of a client as the quota allows, and answers the next with 429 and Retry-After', async () => {
    const { subscribe, turnedAway } = await limited(2)
    expect(await statusesOf(2, subscribe)).toEqual([200, 200])
    const { status, headers, body } = await subscribe()
    expect(status).toBe(429)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' })
    expect(headers['retry-after']).toBe('31')
    const message = 'Too many requests. Try again in 31 seconds.'
    expect(JSON.parse(body)).toEqual({ error: 'TooManyRequests', message })
    expect(turnedAway).toEqual(['rate-limit'])
  })

  it('reports the state of the client with every answer', async () => {
    const { subscribe } = await limited(2)
    const answers = [await subscribe(), await subscribe({ form: { email: 'no address' } }), await subscribe()]
    expect(answers.map(({ status, headers }) => [status, headers['ratelimit-policy'], headers.ratelimit])).toEqual([
      [200, '"subscribe";q=2;w=91', '"subscribe";r=1;t=31'],
      [422, '"subscribe";q=2;w=91', '"subscribe";r=0;t=31'],
      [429, '"subscribe";q=2;w=91', '"subscribe";r=0;t=31'],
    ])
  })

  it('counts every request, well-formed or not, before its body is read', async () => {
    const { server, rateLimiter } = await limited(3)
    const headers = { 'Content-Type': 'text/plain' }
    const send = () => server.request('POST', '/subscribe', { headers, body: 'x'.repeat(100_000) })
    expect(await statusesOf(5, send)).toEqual([415, 415, 415, 429, 429])
    expect([...rateLimiter.counts]).toEqual([['subscribe 127.0.0.1', 5]])
  })

  it('refuses without waiting for the body', async () => {
    const { server } = await limited(0)
    const head = 'POST /subscribe HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n'
    expect(await server.raw(`${head}Expect: 100-continue\r\n\r\n`)).toMatch(/^HTTP\/1\.1 429 /)
  })

  it('shows a browser a page, in its language', async () => {
    const { subscribe } = await limited(0)
    for (const [language, words] of [
      ['en', 'try again in 31 seconds'],
      ['de', 'versuchen Sie es in 31 Sekunden noch einmal'],
      ['fr', 'Veuillez réessayer dans 31 secondes'],
      ['es', 'Inténtelo de nuevo dentro de 31 segundos'],
    ] as const) {
      const page = await subscribe({ headers: { Accept: 'text/html', 'Accept-Language': language } })
      const { status, headers, body } = page
      expect(status).toBe(429)
      expect(headers).toMatchObject({ 'retry-after': '31', 'content-type': 'text/html; charset=utf-8' })
      expect(body).toContain(words)
      expect(body).toContain('href="/subscribe"')
    }
  })

  it('lets scripts of other sites read when to try again', async () => {
    const { subscribe } = await limited(0, { corsOrigins: ['https://site.example'] })
    const { headers } = await subscribe({ headers: { Origin: 'https://site.example' } })
    expect(headers['access-control-allow-origin']).toBe('https://site.example')
    expect(headers['access-control-expose-headers']).toBe('RateLimit, RateLimit-Policy, Retry-After, X-Request-Id')
  })

  it('does not limit pages, preflights and records', async () => {
    const { server, rateLimiter } = await limited(0)
    expect((await server.request('GET', '/subscribe')).status).toBe(200)
    expect((await server.request('OPTIONS', '/subscribe')).status).toBe(204)
    expect((await server.request('GET', '/livez')).status).toBe(200)
    expect(rateLimiter.counts.size).toBe(0)
  })

  it('sends no limits if there are none', async () => {
    const { subscribe } = await limited(0, { rateLimiter: undefined })
    const { status, headers } = await subscribe()
    expect(status).toBe(200)
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
  })
})

describe('a link', () => {
  const PURPOSES = ['confirm', 'refuse', 'unsubscribe'] as const

  it('that is not valid is 404 as often as the quota allows, then 429, for every purpose and method', async () => {
    const { server, turnedAway } = await limited(6)
    const tries = PURPOSES.flatMap((purpose) => [
      () => server.request('GET', `/${purpose}/x`),
      () => server.request('POST', `/${purpose}/y`),
      () => server.request('HEAD', `/${purpose}/a%2Eb`),
    ])
    const statuses = []
    for (const ask of tries) statuses.push((await ask()).status)
    expect(statuses).toEqual([...Array.from({ length: 6 }, () => 404), 429, 429, 429])
    const { headers } = await server.request('GET', '/confirm/x')
    expect(headers).toMatchObject({ 'retry-after': '31', ratelimit: '"links";r=0;t=31' })
    expect(turnedAway).toEqual([])
  })

  it('that is valid always works and is never counted, also for a client that has tried too many invalid ones', async () => {
    const { server, rateLimiter, subscribe } = await limited(2)
    await subscribe()
    const links = await server.links()
    const guess = () => server.request('GET', '/confirm/x')
    expect(await statusesOf(4, guess)).toEqual([404, 404, 429, 429])
    for (const [method, path] of [
      ...Object.values(links).map((path) => ['GET', path] as const),
      ...[links.confirm, links.unsubscribe].map((path) => ['POST', path] as const),
    ])
      expect(await statusesOf(5, () => server.request(method, path))).toEqual(Array(5).fill(200))
    expect(rateLimiter.counts.get('links 127.0.0.1')).toBe(4)
  })

  it('does not use up the quota of subscriptions', async () => {
    const { server, subscribe } = await limited(1)
    expect(await statusesOf(2, () => server.request('GET', '/refuse/x'))).toEqual([404, 429])
    expect(await statusesOf(2, subscribe)).toEqual([200, 429])
  })
})

describe('a client', () => {
  const keyOf = async (trustProxy: number, forwarded: string | readonly string[] | undefined) => {
    const { rateLimiter, subscribe } = await limited(1, { trustProxy })
    await subscribe({ headers: forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded } })
    return [...rateLimiter.counts.keys()][0]?.replace('subscribe ', '')
  }

  it.each([
    [0, undefined, '127.0.0.1'],
    [0, '203.0.113.9', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [1, '203.0.113.9', '203.0.113.9'],
    [1, '203.0.113.9:4711', '203.0.113.9'],
    [1, 'spoofed, 203.0.113.9', '203.0.113.9'],
    [1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    [1, ['198.51.100.1', '203.0.113.9'], '203.0.113.9'],
    [1, '::ffff:203.0.113.9', '203.0.113.9'],
    [1, '[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2'],
    [1, '2001:db8:1:2::', '2001:db8:1:2'],
    [1, '2001:DB8:1:2:ffff::1', '2001:db8:1:2'],
    [1, '2001:db8:1:3::1', '2001:db8:1:3'],
    [1, 'fe80::1%eth0', 'fe80:0:0:0'],
    [1, '', '127.0.0.1'],
    [1, 'unknown', '127.0.0.1'],
    [1, '203.0.113.9, garbage', '127.0.0.1'],
    [1, '203.0.113.9, 999.1.1.1', '127.0.0.1'],
    [2, '198.51.100.1, 203.0.113.9', '198.51.100.1'],
    [2, 'garbage, 203.0.113.9', '203.0.113.9'],
    [2, '198.51.100.1, garbage', '127.0.0.1'],
    [2, '192.0.2.7, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
    // Empty and many entries.
    [1, ',,203.0.113.9,,', '203.0.113.9'],
    [1, `${','.repeat(10_000)}203.0.113.9`, '203.0.113.9'],
    [1, `203.0.113.9${','.repeat(10_000)}`, '203.0.113.9'],
    [1, ','.repeat(10_000), '127.0.0.1'],
    [1, `${'198.51.100.1, '.repeat(700)} 203.0.113.9`, '203.0.113.9'],
  ])('behind %i proxies with X-Forwarded-For %.60j is counted as %s', async (trustProxy, forwarded, key) => {
    expect(await keyOf(trustProxy, forwarded)).toBe(key)
  })

  it.each([
    [0, 'unknown'],
    [1, '203.0.113.9'],
    [2, '198.51.100.1'],
  ])('names itself no more behind %i proxies that come by a Unix socket', (trustProxy, key) => {
    const headers = { 'x-forwarded-for': '192.0.2.7, 198.51.100.1, 203.0.113.9' }
    expect(clientKeyOf({ headers, socket: {} } as unknown as IncomingMessage, trustProxy)).toBe(key)
  })

  it('gains nothing by forged header fields', async () => {
    const { subscribe } = await limited(2)
    let n = 0
    const spoof = () => {
      const address = `203.0.113.${++n}`
      const names = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP']
      const headers = Object.fromEntries(names.map((name) => [name, address]))
      return subscribe({ headers: { ...headers, Forwarded: `for=${address}`, 'X-Request-Id': `id-${n}` } })
    }
    expect(await statusesOf(4, spoof)).toEqual([200, 200, 429, 429])
  })
})

describe('a network', () => {
  const network = async (settings: Partial<HttpOptions> = {}) => {
    const { server, turnedAway } = await limited(0, {
      ...{ networkLimiter: new CountingLimiter(2), rateLimiter: undefined, ...settings },
    })
    const submit = (path: string, email: string, options: RequestOptions = {}) =>
      server.request('POST', path, { form: { email }, ...options })
    const subscribe = (email: string, options?: RequestOptions) => submit('/subscribe', email, options)
    return { server, turnedAway, submit, subscribe }
  }

  it('that has sent its forms is refused with 429 and Retry-After, whatever they say', async () => {
    const { server, turnedAway, subscribe } = await network({ rateLimiter: new CountingLimiter(100) })
    expect((await server.request('POST', '/subscribe', { form: { website: 'https://spam.example' } })).status).toBe(422)
    const { status, headers } = await subscribe('a@example.com')
    expect([status, headers['ratelimit-policy']]).toEqual([200, '"subscribe";q=100;w=91'])
    for (const email of ['a@example.com', 'c@example.com', 'no address']) {
      const { status, headers, body } = await subscribe(email)
      expect([status, headers['retry-after']]).toEqual([429, '31'])
      expect(headers['ratelimit-policy']).toBe('"subscribe";q=100;w=91, "network";q=2;w=91')
      expect(headers.ratelimit).toMatch(/^"subscribe";r=\d+;t=31, "network";r=0;t=31$/)
      const message = 'Too many requests. Try again in 31 seconds.'
      expect(JSON.parse(body)).toEqual({ error: 'TooManyRequests', message })
    }
    expect(turnedAway.slice(-3)).toEqual(['network-limit', 'network-limit', 'network-limit'])
  })

  it('is refused without waiting for the body', async () => {
    const { server, subscribe } = await network()
    for (const email of ['a@example.com', 'b@example.com']) await subscribe(email)
    for (const path of ['/subscribe', '/preferences']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n`
      expect(await server.raw(`${head}Expect: 100-continue\r\n\r\n`)).toMatch(/^HTTP\/1\.1 429 /)
    }
  })

  it('counts sign-ups and requests for preferences together', async () => {
    const { submit } = await network()
    expect((await submit('/preferences', 'a@example.com')).status).toBe(200)
    expect((await submit('/subscribe', 'b@example.com')).status).toBe(200)
    for (const path of ['/preferences', '/subscribe']) expect((await submit(path, 'a@example.com')).status).toBe(429)
  })

  it('is limited apart from all others', async () => {
    const { subscribe } = await network({ trustProxy: 1 })
    const statuses = []
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.3.3'])
      statuses.push((await subscribe(`${client}@example.com`, { headers: { 'X-Forwarded-For': client } })).status)
    expect(statuses).toEqual([200, 200, 429, 200])
  })

  it('can still follow its links, and get a page in the language of the browser', async () => {
    const { server, subscribe } = await network()
    for (const email of ['a@example.com', 'b@example.com']) await subscribe(email)
    const links = await server.links()
    expect((await server.request('POST', links.confirm)).status).toBe(200)
    const page = await subscribe('c@example.com', { headers: { Accept: 'text/html', 'Accept-Language': 'de' } })
    expect(page.status).toBe(429)
    expect(page.body).toMatch(/versuchen Sie es in \d+ (Sekunden|Minuten|Stunden) noch einmal/)
  })
})
