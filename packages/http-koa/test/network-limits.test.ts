import type { TurnedAwayBy } from '@rollcall/core'
import { afterEach, describe, expect, it } from 'vitest'
import type { HttpOptions, NetworkLimiter } from '../src/index.ts'
import { CountingLimiter } from './support/counting-limiter.ts'
import type { RequestOptions } from './support/exchange.ts'
import { type OpenServer, openServer } from './support/open-server.ts'

const open: OpenServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** Counts texts, and never starts again. What another instance has counted is known once an address is. */
class CountingNetworkLimiter implements NetworkLimiter {
  readonly quota = 2
  readonly window = 3_600_000
  readonly counted = new Map<string, Set<string>>()
  readonly elsewhere = new Set<string>()

  refusedFor(network: string): number {
    return (this.counted.get(network)?.size ?? 0) < this.quota ? 0 : 1_500_200
  }

  async count(network: string, email: string): Promise<number> {
    if (this.elsewhere.has(network)) return 1_500_200
    const refusedFor = this.refusedFor(network)
    if (refusedFor === 0) this.counted.set(network, (this.counted.get(network) ?? new Set()).add(email))
    return refusedFor
  }
}

const limited = async (settings: Partial<HttpOptions> = {}) => {
  const networkLimiter = new CountingNetworkLimiter()
  const turnedAway: TurnedAwayBy[] = []
  const funnel = { turnedAway: (rule: TurnedAwayBy) => void turnedAway.push(rule) }
  const server = await openServer({ networkLimiter, funnel, ...settings })
  open.push(server)
  const submit = async (path: string, email: string, options: RequestOptions = {}) =>
    await server.request('POST', path, { form: { email }, ...options })
  const subscribe = (email: string, options?: RequestOptions) => submit('/subscribe', email, options)
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  return { server, networkLimiter, turnedAway, submit, subscribe, from }
}

describe('a network', () => {
  it('that has used up its addresses is refused with 429 and Retry-After, for known addresses, too', async () => {
    const { subscribe, turnedAway } = await limited()
    for (const email of ['a@example.com', 'a@example.com', 'b@example.com'])
      expect((await subscribe(email)).status).toBe(200)
    for (const email of ['a@example.com', 'c@example.com', 'no address']) {
      const { status, headers, body } = await subscribe(email)
      expect([status, headers['retry-after']]).toEqual([429, '1501'])
      expect(JSON.parse(body)).toEqual({
        error: 'TooManyRequests',
        message: 'Too many requests. Try again in 1501 seconds.',
      })
    }
    expect(turnedAway).toEqual(['network-limit', 'network-limit', 'network-limit'])
  })

  it('is refused without waiting for the body', async () => {
    const { server, subscribe } = await limited()
    for (const email of ['a@example.com', 'b@example.com']) await subscribe(email)
    for (const path of ['/subscribe', '/preferences']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n`
      expect(await server.raw(`${head}Expect: 100-continue\r\n\r\n`)).toMatch(/^HTTP\/1\.1 429 /)
    }
  })

  it('is refused once its address is read where only another instance knows', async () => {
    const { server, networkLimiter, subscribe } = await limited()
    networkLimiter.elsewhere.add('127.0.0.0/24')
    expect((await subscribe('a@example.com')).status).toBe(429)
    expect((await server.storage.readers.outbox.list({ after: 0, limit: 9 })).items).toEqual([])
  })

  it('counts sign-ups and requests for preferences together', async () => {
    const { submit } = await limited()
    expect((await submit('/preferences', 'a@example.com')).status).toBe(200)
    expect((await submit('/subscribe', 'b@example.com')).status).toBe(200)
    for (const path of ['/preferences', '/subscribe']) expect((await submit(path, 'a@example.com')).status).toBe(429)
  })

  it('is the /24 of an IPv4 address, or the /48 of an IPv6 address, that the outermost trusted proxy saw', async () => {
    const { networkLimiter, subscribe, from } = await limited({ trustProxy: 1 })
    const clients = [
      '192.0.2.1',
      '192.0.2.255:80',
      '::ffff:192.0.2.9',
      '192.0.3.1',
      '2001:db8:1::1',
      '2001:db8:1:ff::1',
    ]
    for (const client of [...clients, '2001:db8:2::1', '9.9.9.9, 192.0.4.1', 'unknown'])
      await subscribe('a@example.com', from(client))
    expect([...networkLimiter.counted.keys()]).toEqual([
      '192.0.2.0/24',
      '192.0.3.0/24',
      '2001:db8:1::/48',
      '2001:db8:2::/48',
      '192.0.4.0/24',
      '127.0.0.0/24',
    ])
  })

  it('is limited apart from all others', async () => {
    const { subscribe, from } = await limited({ trustProxy: 1 })
    const statuses = []
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.3.3'])
      statuses.push((await subscribe(`${client}@example.com`, from(client))).status)
    expect(statuses).toEqual([200, 200, 429, 200])
  })

  it('counts the address of a form that a honeypot keeps, of a feed that there is not, and of one that is known', async () => {
    const forms: Record<string, string>[] = [{ website: 'https://spam.example' }, { feed: 'nonesuch' }, {}]
    for (const more of forms) {
      const { networkLimiter, server } = await limited()
      const form = { email: 'a@example.com', ...more }
      for (const _ of [1, 2]) await server.request('POST', '/subscribe', { form })
      expect([...networkLimiter.counted.values()].map((counted) => [...counted])).toEqual([['a@example.com']])
    }
  })

  it('is never said to have addresses left: that would tell which were named before', async () => {
    const { subscribe, networkLimiter } = await limited({ rateLimiter: new CountingLimiter(100) })
    const first = await subscribe('a@example.com')
    const again = await subscribe('a@example.com')
    const other = await subscribe('b@example.com')
    const policy = '"subscribe";q=100;w=91'
    for (const { headers } of [first, again, other]) expect(headers['ratelimit-policy']).toBe(policy)
    expect([first, again, other].map(({ headers }) => headers.ratelimit)).toEqual(
      [99, 98, 97].map((left) => `"subscribe";r=${left};t=31`),
    )
    expect(networkLimiter.counted.size).toBe(1)
    const { headers } = await subscribe('c@example.com')
    expect(headers['ratelimit-policy']).toBe(`${policy}, "addresses";q=2;w=3600`)
    expect(headers.ratelimit).toBe('"subscribe";r=96;t=31, "addresses";r=0;t=1501')
  })

  it('can still follow its links, and get a page in the language of the browser', async () => {
    const { server, subscribe } = await limited()
    for (const email of ['a@example.com', 'b@example.com']) await subscribe(email)
    const links = await server.links()
    expect((await server.request('POST', links.confirm)).status).toBe(200)
    const page = await subscribe('c@example.com', { headers: { Accept: 'text/html', 'Accept-Language': 'de' } })
    expect([page.status, page.body]).toEqual([
      429,
      expect.stringMatching(/versuchen Sie es in \d+ (Sekunden|Minuten|Stunden) noch einmal/),
    ])
  })

  it('is not limited where there are no limits', async () => {
    const { subscribe } = await limited({ networkLimiter: undefined })
    for (const email of ['a', 'b', 'c']) expect((await subscribe(`${email}@example.com`)).status).toBe(200)
  })
})
