import { operator } from '@rollcall/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { CountingLimiter } from './support/counting-limiter.ts'
import { type OpenServer, openServer } from './support/open-server.ts'

let server: OpenServer
let limiter: CountingLimiter
let site: string
beforeEach(async () => {
  limiter = new CountingLimiter(2)
  server = await openServer({ rateLimiter: limiter })
  site = await server.token('site', 'form')
})

const signUp = async (
  visitor: string | undefined,
  { token = site, email = 'ada@example.com' }: { token?: string; email?: string } = {},
) => {
  const headers = { 'User-Agent': "A visitor's browser", ...(visitor !== undefined && { 'Visitor-Address': visitor }) }
  const { status, body } = await server.request('POST', '/subscribe', { token, headers, form: { email } })
  return { status, answer: JSON.parse(body) }
}

describe("a site's own server", () => {
  it('signs up its visitors, each within the limits of that visitor, and the ledger names their network', async () => {
    const statuses = []
    for (const visitor of ['203.0.113.7', '203.0.113.7', '203.0.113.7', '2001:db8::1', '203.0.113.8'])
      statuses.push((await signUp(visitor)).status)
    expect(statuses).toEqual([200, 200, 429, 200, 200])
    expect([...limiter.counts.keys()]).toEqual([
      'subscribe 203.0.113.7',
      'subscribe 2001:db8:0:0',
      'subscribe 203.0.113.8',
    ])
    const { answer } = await signUp('198.51.100.7', { email: 'bob@example.com' })
    const subscriptionId = String(answer.subscription.id)
    const { consents } = await server.useCases.getConsent.execute({ subscriptionId }, operator('root'))
    const source = { clientAddress: '198.51.100.0/24', userAgent: "A visitor's browser", via: 'form' }
    expect(consents).toMatchObject([{ deed: 'requested', ...source }])
  })

  it('must say who it is, and may do nothing else', async () => {
    expect(await signUp('203.0.113.7', { token: 'nonsense' })).toMatchObject({ status: 401 })
    expect(await signUp('203.0.113.7', { token: await server.token('mailer', 'sender') })).toMatchObject({
      status: 403,
      answer: { message: "Signing up visitors requires the 'admin' or 'form' role." },
    })
    for (const path of ['/subscriptions', '/users', '/events', '/feeds/default/recipients', '/stats'])
      expect([path, (await server.request('GET', path, { token: site })).status]).toEqual([path, 403])
    expect([...limiter.counts.keys()]).toEqual([])
  })

  it.each(['', 'unknown', '203.0.113.7, 198.51.100.1', '203.0.113.7:80', 'localhost'])(
    'names one address and nothing else: %j is refused',
    async (visitor) => {
      expect(await signUp(visitor)).toMatchObject({ status: 422, answer: { details: [{ field: 'Visitor-Address' }] } })
    },
  )

  it('is told first what is wrong with its body', async () => {
    const headers = { 'Visitor-Address': 'unknown', 'Content-Type': 'text/plain' }
    expect((await server.request('POST', '/subscribe', { token: site, headers, body: 'x' })).status).toBe(415)
  })

  it('is a client like any other where it names no visitor', async () => {
    expect((await signUp(undefined, { token: 'nonsense' })).status).toBe(200)
    expect([...limiter.counts.keys()]).toEqual(['subscribe 127.0.0.1'])
  })
})
