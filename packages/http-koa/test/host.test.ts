import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { Unavailable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { accessTokenIn, consentSource, createHandler, errorAnswer, readSignUp, signUpAnswer } from '../src/host.ts'
import type { HttpOptions } from '../src/index.ts'
import type { RequestOptions } from './support/exchange.ts'
import { openHost } from './support/open-host.ts'
import { openServer } from './support/open-server.ts'

/** What the server of this package sends, without what only a server can know. */
const sent = ({ status = 0, headers, body }: { status?: number; headers: object; body: string }) => {
  const own = ['content-type', 'content-length', 'cache-control', 'x-content-type-options', 'www-authenticate']
  const found = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { status, body, headers: Object.fromEntries(found.filter(([name]) => own.includes(name))) }
}

describe('what a host with another framework sends', () => {
  it('is what the server of this package sends', async () => {
    const server = await openServer()
    const form = { name: 'Ada "Ü"', email: 'ada@example.com' }
    const source = consentSource('form', {})
    const result = await server.useCases.subscribe.execute({ ...readSignUp(form), source })
    expect(sent(signUpAnswer(result))).toEqual(sent(await server.request('POST', '/subscribe', { form })))

    const toFeeds = { email: 'eve@example.com', feeds: ['default'] }
    const order = { ...readSignUp(toFeeds), source }
    expect(sent(signUpAnswer(await server.useCases.subscribe.execute(order), toFeeds))).toEqual(
      sent(await server.request('POST', '/subscribe', { form: { ...toFeeds, feeds: 'default' } })),
    )

    const refused = async (ask: () => unknown) => {
      try {
        await ask()
      } catch (error) {
        const answer = errorAnswer(error)
        if (answer !== undefined) return sent(answer)
      }
      throw new Error('it was not refused')
    }
    const bad = { email: 'nobody', name: '' }
    const subscribe = () => server.useCases.subscribe.execute({ ...readSignUp(bad), source })
    expect(await refused(subscribe)).toEqual(sent(await server.request('POST', '/subscribe', { form: bad })))

    const remove = async (token: string | undefined) => {
      const caller = await server.useCases.authenticate.execute({ token, channel: 'http' })
      await server.useCases.deleteUser.execute({ userId: '123' }, caller)
    }
    for (const token of [undefined, 'x', await server.token('eve', 'auditor'), await server.token('root', 'admin')])
      expect(await refused(() => remove(token))).toEqual(
        sent(await server.request('DELETE', '/users/123', token === undefined ? {} : { token })),
      )
  })

  it('says when to try again', () => {
    const answer = errorAnswer(new Unavailable({ retryAfter: 1_500 }))
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } })
  })

  it('has no answer to an error of the host', () => {
    expect([errorAnswer(new Error('ours')), errorAnswer(undefined)]).toEqual([undefined, undefined])
  })
})

describe('what a host with another framework reads', () => {
  it('is every field of a form', () => {
    const form = { email: 'a', name: 'b', feed: 'c', locale: 'd', website: 'e', altcha: 'f', stamp: 'g' }
    expect(readSignUp({ ...form, return_to: 'h', other: 'i' })).toEqual({ ...form, returnTo: 'h', fields: {} })
    expect(readSignUp({ ...form, field_company: 'i', field_size: 3 }).fields).toEqual({ company: 'i', size: 3 })
    for (const feeds of [['b', 'c'], 'b c'])
      expect(readSignUp({ email: 'a', feeds })).toMatchObject({ email: 'a', feeds: ['b', 'c'] })
    expect(readSignUp(Object.assign(Object.create(null), { email: 'a' }))).toMatchObject({ email: 'a' })
  })

  it.each([undefined, null, 'email=a', [], {}, { email: ['a', 'b'] }, { email: { x: 'a' } }, { email: 1 }])(
    'is refused where there is no text: %j',
    (body) => {
      expect(() => readSignUp(body)).toThrow(expect.objectContaining({ name: 'InvalidInput' }))
    },
  )

  it('is one token of the scheme Bearer', () => {
    expect(['Bearer a.b-c', 'bearer  a'].map(accessTokenIn)).toEqual(['a.b-c', 'a'])
    for (const none of ['Basic a', 'Bearer', undefined]) expect(accessTokenIn(none)).toBeUndefined()
    expect(() => accessTokenIn('Bearer a b')).toThrow(expect.objectContaining({ name: 'Unauthenticated' }))
  })

  it('is the network of a client, not its address', () => {
    const source = (address?: string) => consentSource('form', { address, userAgent: '' })
    expect(source('192.0.2.7')).toEqual({ via: 'form', clientAddress: '192.0.2.0/24', userAgent: undefined })
    expect(source('::ffff:192.0.2.7').clientAddress).toBe('192.0.2.0/24')
    expect(source('2001:db8:1:2::3').clientAddress).toBe('2001:db8:1::/48')
    expect([source('proxy').clientAddress, source().clientAddress]).toEqual([undefined, undefined])
  })
})

/** The handler below `/mail` of a host, behind what the host does with a request before. */
const openMounted = async (before: (req: IncomingMessage) => Promise<unknown> = async () => undefined) => {
  const mounted = (options: HttpOptions): RequestListener => {
    const handler = createHandler(options)
    return async (req, res) => {
      await before(req)
      req.url = req.url?.replace(/^\/mail/, '')
      handler(req, res)
    }
  }
  const { service, log, request } = await openHost(mounted, { publicUrl: 'https://shop.example/mail', trace: false })
  const { token } = await service.tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 60 })
  const send = (method: string, path: string, options: RequestOptions) =>
    request(method, `/mail${path}`, { token, ...options })
  return { log, send }
}

describe('mounted by any framework that takes a request listener of Node', () => {
  it('it answers, and binds the whole of the host to nothing', async () => {
    const { send } = await openMounted()
    const { status, headers, body } = await send('POST', '/subscribe', { form: { email: 'ada@example.com' } })
    expect([status, JSON.parse(body).subscription.email]).toEqual([200, 'ada@example.com'])
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  it.each<[string, RequestOptions]>([
    ['/subscribe', { form: { email: 'ada@example.com' } }],
    ['/subscriptions/import', { headers: { 'Content-Type': 'text/csv' }, body: 'email\n' }],
  ])('a body parser in front of it is reported as a defect: %s', async (path, options) => {
    const { send, log } = await openMounted((req) => text(req))
    expect((await send('POST', path, options)).status).toBe(500)
    expect(String(log.lines.find(({ level }) => level === 'error')?.fields.err)).toMatch(/read before Rollcall could/)
  })
})
