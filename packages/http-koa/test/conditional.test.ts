import { parseHttpDate } from '@rollcall/platform-node'
import { describe, expect, it } from 'vitest'
import { isNotModified } from '../src/conditional-request.ts'
import { PNG } from './support/feeds.ts'
import { openServer } from './support/open-server.ts'
import { vectors } from './support/vectors.ts'

interface Vector {
  readonly title: string
  readonly request: Record<string, string>
  readonly response: Record<string, string>
  readonly not_modified: boolean
}

const LATER = Date.UTC(2030, 0, 1)

/** A server with one user, and what an administrator asks it. */
const openWithUser = async () => {
  const server = await openServer()
  const token = await server.token('root', 'admin')
  const ask = (method: string, path: string, headers: Record<string, string> = {}, json?: unknown) =>
    server.request(method, path, { token, headers, ...(json !== undefined && { json }) })
  const put = (name = '', headers = {}) => ask('PUT', '/users/1', headers, { email: 'a@example.com', name, roles: [] })
  const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status
  await put()
  return { server, token, ask, put, statusOf }
}

describe('conditional requests', () => {
  it('match the jshttp vectors', () => {
    // Those with no-cache speak of a cache; this is the origin.
    const ofOrigins = vectors<Vector>('jshttp-fresh.json').filter(({ request }) => !('cache-control' in request))
    for (const { title, request, response, not_modified } of ofOrigins) {
      const date = response['last-modified']
      const validators = { entityTag: response.etag, lastModified: date ? parseHttpDate(date) : undefined }
      expect([title, isNotModified(request, validators, LATER)]).toEqual([title, not_modified])
    }
  })

  it.each(['"a"', '"a-"', '"a--"'])('take %s for known, whatever a proxy that compressed it has appended', (tag) => {
    const knows = (ifNoneMatch: string, entityTag = tag): boolean =>
      isNotModified({ 'if-none-match': ifNoneMatch }, { entityTag, lastModified: 0 }, LATER)
    const changed = (appended: string): string => tag.replace(/"$/, `${appended}"`)
    for (const appended of ['', '-gzip', '--gzip', ';br', ';gzip', '-br', '-zstd', '-deflate'])
      for (const tags of [changed(appended), `W/${changed(appended)}`, `"x", ${changed(appended)}`])
        expect([tags, knows(tags), knows(tags, '"b"')]).toEqual([tags, true, false])
    for (const other of ['-gzipped', '---gzip', 'gzip', '-x', ';']) expect(knows(changed(other))).toBe(false)
    expect([knows('"-gzip"'), knows(tag, changed('-gzip')), knows(changed('-gzip'), changed('-gzip'))]).toEqual([
      ...[false, false, true],
    ])
  })

  it('prefer an entity tag to a date', () => {
    const validators = { entityTag: '"a"', lastModified: 0 }
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
    const before = 'Thu, 01 Jan 1960 00:00:00 GMT'
    expect(isNotModified({ 'if-none-match': '"b"', 'if-modified-since': date }, validators, LATER)).toBe(false)
    expect(isNotModified({ 'if-none-match': '"a"', 'if-modified-since': before }, validators, LATER)).toBe(true)
  })

  it('are decided in linear time', () => {
    // So long that a quadratic algorithm would not finish before the test times out.
    const LONG = 500_000
    const validators = { entityTag: '"x"', lastModified: 0 }
    for (const hostile of ['"'.repeat(LONG), ','.repeat(LONG), `W/"${' '.repeat(LONG)}`, '"a",'.repeat(LONG / 4)])
      expect(isNotModified({ 'if-none-match': hostile, 'if-modified-since': hostile }, validators, LATER)).toBe(false)
  })

  it('give 304 with the same headers and no body, and HEAD the same as GET', async () => {
    const { server, ask, statusOf } = await openWithUser()
    const subscribed = await server.ask('POST', '/subscribe', { form: { email: 'a@example.com' } })
    await ask('PUT', '/webhooks/shop', {}, { url: 'https://shop.example/' })
    server.clock.advance(5_000)
    for (const path of [
      ...['/users/1', '/users', '/feeds', '/feeds/default', '/webhooks/shop', '/tokens', '/audit'],
      ...[`/subscriptions/${subscribed.value.subscription.id}`, '/subscriptions?feed=default'],
      ...['/subscriptions/explain?email=a@example.com', '/openapi.json', '/.well-known/jwks.json'],
    ]) {
      const get = await ask('GET', path)
      const { etag, vary, 'cache-control': cacheControl } = get.headers
      expect([path, get.status, etag]).toEqual([path, 200, expect.stringMatching(/^"[\w-]{27}"$/)])
      const isPublic = path.includes('.json')
      if (!isPublic) expect([cacheControl, vary]).toEqual(['private, no-cache', 'Authorization'])
      const head = await ask('HEAD', path)
      const steady = ({ date, 'x-request-id': id, ...rest }: typeof get.headers) => rest
      expect([head.status, head.body, steady(head.headers)]).toEqual([200, '', steady(get.headers)])
      for (const tag of [etag!, `"x", W/${etag}`, '*']) {
        const { status, body, headers } = await ask('GET', path, { 'If-None-Match': tag })
        expect([status, body, headers.vary]).toEqual([304, '', vary])
        expect(headers).toMatchObject({ etag, 'cache-control': cacheControl, date: expect.anything() })
        expect([headers['content-length'], headers['content-type']]).toEqual([undefined, undefined])
      }
      expect(await statusOf('GET', path, { 'If-None-Match': '"x"' })).toBe(200)
    }
  })

  it('give 304 also to a client that asks caches to revalidate, as every fetch() with conditions does', async () => {
    const { server, token, ask, statusOf } = await openWithUser()
    server.clock.advance(1_000)
    const { etag = '', 'last-modified': date = '' } = (await ask('GET', '/users/1')).headers
    for (const cacheControl of ['no-cache', 'max-age=0', 'no-store', 'x, no-cache'])
      for (const [name, value] of Object.entries({ 'If-None-Match': etag, 'If-Modified-Since': date })) {
        const headers = { [name]: value, 'Cache-Control': cacheControl }
        expect([headers, await statusOf('GET', '/users/1', headers)]).toEqual([headers, 304])
      }
    const url = `http://127.0.0.1:${server.port}/users/1`
    const headers = { Authorization: `Bearer ${token}`, 'If-None-Match': etag }
    expect((await fetch(url, { headers })).status).toBe(304)
  })

  it('by date count only for records older than the current second, and if the date exists', async () => {
    const { server, statusOf } = await openWithUser()
    const since = (value: string) => statusOf('GET', '/users/1', { 'If-Modified-Since': value })
    expect(await since('Thu, 01 Jan 2026 00:00:00 GMT')).toBe(200)
    server.clock.advance(1_000)
    for (const [date, status] of [
      ['Thu, 01 Jan 2026 00:00:00 GMT', 304],
      ['Wed, 31 Dec 2025 23:59:59 GMT', 200],
      ['nonsense', 200],
      ['Mon, 30 Feb 2026 00:00:00 GMT', 200],
      ['Tue, 31 Nov 2026 00:00:00 GMT', 200],
      ['Mon, 02 Mar 2026 00:00:00 GMT', 304],
    ] as const)
      expect([date, await since(date)]).toEqual([date, status])
    expect(await statusOf('GET', '/users/1', { 'If-Unmodified-Since': 'Sun, 30 Feb 2025 00:00:00 GMT' })).toBe(200)
  })

  it('date a record of the current second to the second before: it may change again within this one', async () => {
    const { server, ask, put, statusOf } = await openWithUser()
    const dates = async (path: string) => [
      (await ask('GET', path)).headers['last-modified'],
      (await ask('HEAD', path)).headers['last-modified'],
    ]
    const since = (date: string) => statusOf('GET', '/users/1', { 'If-Modified-Since': date })
    const before = 'Wed, 31 Dec 2025 23:59:59 GMT'
    const then = 'Thu, 01 Jan 2026 00:00:00 GMT'
    await ask('PUT', '/feeds/weekly', {}, { title: 'Weekly' })
    for (const path of ['/users/1', '/feeds/weekly']) expect(await dates(path)).toEqual([before, before])
    server.clock.advance(999)
    expect(await dates('/users/1')).toEqual([before, before])
    await put('B')
    server.clock.advance(1)
    for (const path of ['/users/1', '/feeds/weekly']) expect(await dates(path)).toEqual([then, then])
    expect([await since(before), await since(then)]).toEqual([200, 304])
    // A record of another instance, whose clock is ahead.
    server.clock.advance(-2_000)
    const earlier = 'Wed, 31 Dec 2025 23:59:58 GMT'
    expect(await dates('/users/1')).toEqual([earlier, earlier])
  })

  it('guard GET and HEAD: 412 where the record is no longer what the client expects', async () => {
    const { server, ask, statusOf } = await openWithUser()
    server.clock.advance(5_000)
    const before = 'Thu, 01 Jan 1960 00:00:00 GMT'
    const then = 'Thu, 01 Jan 2026 00:00:00 GMT'
    for (const path of ['/users/1', '/users', '/feeds/default', '/openapi.json', '/.well-known/jwks.json']) {
      const { etag = '', 'last-modified': date } = (await ask('GET', path)).headers
      for (const method of ['GET', 'HEAD'])
        for (const [headers, status] of [
          [{ 'If-Match': '*' }, 200],
          [{ 'If-Match': `"x", ${etag}` }, 200],
          [{ 'If-Match': '"x"' }, 412],
          [{ 'If-Match': `W/${etag}` }, 412],
          [{ 'If-Match': '"x"', 'If-None-Match': etag }, 412],
          [{ 'If-Match': etag, 'If-None-Match': etag }, 304],
          [{ 'If-Match': etag, 'If-Unmodified-Since': before }, 200],
          [{ 'If-Unmodified-Since': then }, 200],
          [{ 'If-Unmodified-Since': 'nonsense' }, 200],
          // A condition on a date is ignored where the resource has none.
          [{ 'If-Unmodified-Since': before }, date === undefined ? 200 : 412],
          [{ 'If-Unmodified-Since': before, 'If-None-Match': etag }, date === undefined ? 304 : 412],
        ] as const)
          expect(await statusOf(method, path, headers), `${method} ${path} ${JSON.stringify(headers)}`).toBe(status)
    }
    const refused = await ask('GET', '/users/1', { 'If-Match': '"x"' })
    expect(JSON.parse(refused.body).error).toBe('PreconditionFailed')
    expect(refused.headers.etag).toBeUndefined()
    // What would not be found is not found, whatever its conditions.
    expect(await statusOf('GET', '/users/2', { 'If-Match': '"x"' })).toBe(404)
  })

  it('guard PUT and DELETE: by strong tag, list, star and date', async () => {
    const { ask, statusOf } = await openWithUser()
    for (const [path, json] of [
      ['/users/2', { email: 'b@example.com', name: 'B', roles: [] }],
      ['/feeds/weekly', { title: 'Weekly' }],
      ['/webhooks/shop', { url: 'https://shop.example/' }],
    ] as const) {
      const put = (headers: Record<string, string>) => statusOf('PUT', path, headers, json)
      expect(await put({ 'If-Match': '*' })).toBe(412)
      expect(await put({ 'If-Match': '"x"' })).toBe(412)
      expect(await put({ 'If-None-Match': '*' })).toBe(201)
      const tag = (await ask('GET', path)).headers.etag!
      for (const [headers, status] of [
        [{ 'If-None-Match': '*' }, 412],
        [{ 'If-Match': '*' }, 204],
        [{ 'If-Match': `W/${tag}` }, 412],
        [{ 'If-None-Match': tag }, 412],
        [{ 'If-None-Match': '"x"' }, 204],
        [{ 'If-Match': `"x", ${tag}` }, 204],
        [{ 'If-Unmodified-Since': 'Wed, 31 Dec 2025 23:59:59 GMT' }, 412],
        [{ 'If-Unmodified-Since': 'nonsense' }, 204],
        [{ 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 204],
      ] as const)
        expect([path, headers, await put(headers)]).toEqual([path, headers, status])
      expect([path, await statusOf('DELETE', path, { 'If-Match': '"x"' })]).toEqual([path, 412])
      expect([path, await statusOf('DELETE', path, { 'If-Match': tag })]).toEqual([path, 204])
    }
  })

  it('guard what is done to a webhook or a subscription', async () => {
    const { server, ask, statusOf } = await openWithUser()
    await ask('PUT', '/webhooks/shop', {}, { url: 'https://example.com/' })
    const before = (await ask('GET', '/webhooks/shop')).headers.etag!
    await ask('PATCH', '/webhooks/shop', { 'Content-Type': 'application/json' }, { url: 'https://example.com/new' })
    const now = (await ask('GET', '/webhooks/shop')).headers.etag!
    for (const [action, json] of [
      ['redeliver', { parked: true }],
      ['rotate', {}],
    ] as const) {
      const done = (tag: string) => statusOf('POST', `/webhooks/shop/${action}`, { 'If-Match': tag }, json)
      expect([action, await done(before), await done(now)]).toEqual([action, 412, 200])
    }
    const { body } = await server.request('POST', '/subscribe', { form: { email: 'eve@example.com' } })
    // It has no date, so a condition on one says nothing (RFC 9110 section 13.1.4).
    const end = `/subscriptions/${JSON.parse(body).subscription.id}/end`
    const date = { 'If-Unmodified-Since': 'Wed, 31 Dec 1999 23:59:59 GMT' }
    expect(await statusOf('POST', end, date, { reason: 'asked for' })).toBe(200)
  })

  it('are about whether there is one, of what has no tag', async () => {
    const { server, token, statusOf } = await openWithUser()
    await statusOf('PUT', '/feeds/weekly', {}, {})
    const put = async (headers: Record<string, string>) =>
      (await server.request('PUT', '/feeds/weekly/logo', { token, headers, body: PNG })).status
    expect(await put({ 'If-Match': '*' })).toBe(412)
    expect(await put({ 'If-None-Match': '*' })).toBe(201)
    expect(await put({ 'If-None-Match': '*' })).toBe(412)
    for (const tag of ['"x"', '', 'x']) expect([tag, await put({ 'If-Match': tag })]).toEqual([tag, 412])
    expect(await statusOf('DELETE', '/feeds/weekly/logo', { 'If-Match': '"x"' })).toBe(412)
    expect(await statusOf('DELETE', '/feeds/weekly/logo', { 'If-Match': '*' })).toBe(204)
  })

  it('let one of two clients that saw the same state change it', async () => {
    const { server, ask, put } = await openWithUser()
    const tag = (await ask('GET', '/users/1')).headers.etag!
    server.clock.advance(10)
    const both = await Promise.all(['B', 'C'].map((name) => put(name, { 'If-Match': tag })))
    expect(both.map(({ status }) => status).sort()).toEqual([204, 412])
  })
})
