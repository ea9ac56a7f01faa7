import type { TurnedAwayBy } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import type { HttpOptions } from '../src/index.ts'
import { CountingLimiter } from './support/counting-limiter.ts'
import type { RequestOptions } from './support/exchange.ts'
import { openServer } from './support/open-server.ts'

const limited = async (settings: Partial<HttpOptions> = {}) => {
  const networkLimiter = new CountingLimiter(2)
  const turnedAway: TurnedAwayBy[] = []
  const funnel = { turnedAway: (rule: TurnedAwayBy) => void turnedAway.push(rule) }
  const server = await openServer({ networkLimiter, funnel, ...settings })
  const submit = async (path: string, email: string, options: RequestOptions = {}) =>
    await server.request('POST', path, { form: { email }, ...options })
  const subscribe = (email: string, options?: RequestOptions) => submit('/subscribe', email, options)
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  return { server, networkLimiter, turnedAway, submit, subscribe, from }
}

describe('a network', () => {
  it('that has sent its forms is refused with 429 and Retry-After, whatever they say', async () => {
    const { server, turnedAway, subscribe } = await limited({ rateLimiter: new CountingLimiter(100) })
    expect((await server.request('POST', '/subscribe', { form: { website: 'https://spam.example' } })).status).toBe(422)
    const { status, headers } = await subscribe('a@example.com')
    expect([status, headers['ratelimit-policy']]).toEqual([200, '"subscribe";q=100;w=91'])
    for (const email of ['a@example.com', 'c@example.com', 'no address']) {
      const { status, headers, body } = await subscribe(email)
      expect([status, headers['retry-after']]).toEqual([429, '31'])
      expect(headers['ratelimit-policy']).toBe('"subscribe";q=100;w=91, "network";q=2;w=91')
      expect(headers.ratelimit).toMatch(/^"subscribe";r=\d+;t=31, "network";r=0;t=31$/)
      expect(JSON.parse(body)).toEqual({
        error: 'TooManyRequests',
        message: 'Too many requests. Try again in 31 seconds.',
      })
    }
    expect(turnedAway.slice(-3)).toEqual(['network-limit', 'network-limit', 'network-limit'])
  })

  it('is refused without waiting for the body', async () => {
    const { server, subscribe } = await limited()
    for (const email of ['a@example.com', 'b@example.com']) await subscribe(email)
    for (const path of ['/subscribe', '/preferences']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n`
      expect(await server.raw(`${head}Expect: 100-continue\r\n\r\n`)).toMatch(/^HTTP\/1\.1 429 /)
    }
  })

  it('counts sign-ups and requests for preferences together', async () => {
    const { submit } = await limited()
    expect((await submit('/preferences', 'a@example.com')).status).toBe(200)
    expect((await submit('/subscribe', 'b@example.com')).status).toBe(200)
    for (const path of ['/preferences', '/subscribe']) expect((await submit(path, 'a@example.com')).status).toBe(429)
  })

  it('is limited apart from all others', async () => {
    const { subscribe, from } = await limited({ trustProxy: 1 })
    const statuses = []
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.3.3'])
      statuses.push((await subscribe(`${client}@example.com`, from(client))).status)
    expect(statuses).toEqual([200, 200, 429, 200])
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
})
