import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { LinkTokens } from '@rollcall/core'
import { MemoryLinkKeys, memoryDigests } from '@rollcall/core/memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { CountingLimiter } from './support/counting-limiter.ts'
import { needsToken, routes } from './support/documented.ts'
import type { Answer, RequestOptions } from './support/exchange.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { DAY, owner } from './support/preferences.ts'
import { answersIn } from './support/raw.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const coded = (coding: string, body: Buffer): RequestOptions => ({
  body,
  headers: { ...FORM, 'Content-Encoding': coding },
})
const MEGABYTES = Buffer.alloc(4_000_000, 'a')

/** Bodies that no endpoint accepts, and the status of each if the client may send one. */
const REFUSED: readonly (readonly [name: string, status: number, options: RequestOptions])[] = [
  ['a brotli bomb', 415, coded('br', brotliCompressSync(MEGABYTES))],
  ['a zstd bomb', 415, coded('zstd', zstdCompressSync(MEGABYTES))],
  ['a gzip bomb', 413, coded('gzip', gzipSync(MEGABYTES))],
  ['a broken gzip body', 400, coded('gzip', Buffer.from('email=a@example.com'))],
  ['another type', 415, { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ['a body that is too long', 413, { body: 'x'.repeat(17_000), headers: FORM }],
  ['a part of a body', 400, { body: 'x', headers: { ...FORM, 'Content-Range': 'bytes 0-0/2' } }],
]

let server: OpenServer
let rateLimiter: CountingLimiter
beforeEach(async () => {
  rateLimiter = new CountingLimiter(1_000)
  server = await openServer({ rateLimiter })
})

const post = (path: string, options: RequestOptions) => server.request('POST', path, options)
const outcome = ({ status, body }: Answer) => [status, JSON.parse(body).error]
const counted = () => rateLimiter.counts.get('links 127.0.0.1') ?? 0

/** The paths of one address's links, each as it was mailed. */
const mailedLinks = async () => {
  const preferences = await owner(server)
  await post('/subscribe', { form: { email: 'b@example.com' } })
  const { confirm, refuse } = await server.links()
  return { confirm, refuse, preferences }
}

describe('a body in an unsupported coding', () => {
  it.each(['br', 'BR', 'zstd', 'compress', 'gzip, gzip', 'nonsense', 'constructor'])(
    'is 415, and the answer names the supported ones: %s',
    async (coding) => {
      const token = await server.token('root', 'admin')
      const file = { body: 'email\n', headers: { 'Content-Type': 'text/csv', 'Content-Encoding': coding } }
      for (const answer of [
        await post('/subscribe', coded(coding, Buffer.from('email=a@example.com'))),
        await post('/preferences', coded(coding, Buffer.from('email=a@example.com'))),
        await post('/subscriptions/import', { ...file, token }),
      ]) {
        expect(outcome(answer)).toEqual([415, 'UnsupportedMediaType'])
        expect(answer.headers['accept-encoding']).toBe('gzip, deflate')
        expect(JSON.parse(answer.body).message).toMatch(/gzip or deflate/)
      }
    },
  )

  it('differs from an unsupported type, whose answer names no coding', async () => {
    const answer = await post('/subscribe', { body: 'x', headers: { 'Content-Type': 'text/plain' } })
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, undefined])
  })
})

describe('a link that is not valid', () => {
  const forger = new LinkTokens({ linkKeys: new MemoryLinkKeys('another'), digests: memoryDigests('') })
  const subscription = { id: 1, episode: '0123456789abcdef', expiresAt: 4_000_000_000_000 } as never
  const forged = {
    confirm: forger.sign('confirm', subscription),
    refuse: forger.sign('refuse', subscription),
    preferences: forger.signPreferences(1 as never, 4_000_000_000_000),
  }

  it.each(REFUSED)('is 404 and counted before its body is read: %s', async (_, _status, options) => {
    const genuine = await mailedLinks()
    const tokenOf = (path: string) => path.split('/')[2]
    const paths = [
      '/confirm/x',
      '/refuse/x',
      '/preferences/x',
      `/confirm/${forged.confirm}`,
      `/refuse/${forged.refuse}`,
      `/preferences/${forged.preferences}`,
      // Signed, but for another purpose.
      `/confirm/${tokenOf(genuine.refuse)}`,
      `/refuse/${tokenOf(genuine.confirm)}`,
      `/preferences/${tokenOf(genuine.confirm)}`,
      // With an escape it is another token.
      genuine.confirm.replace('.', '%2E'),
    ]
    for (const [index, path] of paths.entries()) {
      expect([path, ...outcome(await post(path, options))]).toEqual([path, 404, 'LinkNotValid'])
      expect(counted()).toBe(index + 1)
    }
  })

  it('is 404 before its body is read if it has expired', async () => {
    const { confirm, refuse, preferences } = await mailedLinks()
    server.clock.advance(8 * DAY)
    for (const [index, path] of [confirm, refuse, preferences].entries()) {
      expect(outcome(await post(path, coded('br', Buffer.from('x'))))).toEqual([404, 'LinkNotValid'])
      expect(counted()).toBe(index + 1)
    }
  })

  it('gets no 100 Continue for its body', async () => {
    for (const purpose of ['confirm', 'refuse', 'preferences']) {
      const head = `POST /${purpose}/x HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM['Content-Type']}\r\n`
      const stream = await server.raw(`${head}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`)
      expect(answersIn(stream).map(({ status }) => status)).toEqual([404])
    }
  })
})

describe('a link that is valid', () => {
  it.each(REFUSED)(
    'is refused for its body, never counted, and still valid afterwards: %s',
    async (_, status, options) => {
      const { confirm, refuse, preferences } = await mailedLinks()
      for (const path of [confirm, refuse, preferences])
        expect([path, (await post(path, options)).status]).toEqual([path, status])
      expect(counted()).toBe(0)
      expect((await post(preferences, { form: { action: 'allow' } })).status).toBe(200)
      expect((await post(confirm, {})).status).toBe(200)
      expect((await post(refuse, {})).status).toBe(200)
    },
  )

  it('is 404 and counted once it was superseded, with a valid body', async () => {
    const { confirm, refuse } = await mailedLinks()
    expect((await post(refuse, {})).status).toBe(200)
    expect(outcome(await post(confirm, { form: { a: 'b' } }))).toEqual([404, 'LinkNotValid'])
    expect(counted()).toBe(1)
  })
})

describe('every documented endpoint', () => {
  // Also those that read no body: a client may send one anyway.
  // That of a mail provider takes any type: see feedback.test.ts.
  const others = routes.filter(({ path }) => !/^\/feedback\/(?:postmark|sendgrid|ses)$/.test(path))
  const changes = others.filter(({ method }) => method !== 'GET')

  it.each(REFUSED)('checks the client before it reads the body: %s', async (_, status, options) => {
    expect(changes.length).toBeGreaterThan(15)
    const token = await server.token('nobody')
    let counts = 0
    for (const { method, path, operation } of changes) {
      const isPublic = !needsToken(operation)
      const ask = async (more = {}) =>
        (await server.request(method, path.replace(/\{\w+\}/g, 'x'), { ...options, ...more })).status
      const expected = isPublic ? (path.includes('{token}') ? 404 : status) : 401
      expect([method, path, await ask()]).toEqual([method, path, expected])
      if (isPublic) counts++
      else expect([method, path, await ask({ token })]).toEqual([method, path, 403])
      expect([path, [...rateLimiter.counts.values()].reduce((sum, count) => sum + count, 0)]).toEqual([path, counts])
    }
  })
})
