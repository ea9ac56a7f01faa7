import { Unavailable } from '@rollcall/core'
import { describe, expect, it, vi } from 'vitest'
import { createHttpServer } from '../src/index.ts'
import { OPERATIONS } from '../src/resources/all.ts'
import { type OpenServer, openServer, sharedServer } from './support/open-server.ts'
import { answersIn } from './support/raw.ts'

const PATHS = [...new Set(OPERATIONS.map(({ route }) => route.split(' ')[1]!))]
const concrete = (path: string): string => path.replace(/\{\w+\}/g, 'x')

const server = await sharedServer()
const admin = await server.token('root', 'admin')
const unprivileged = await server.token('nobody')

describe('the rules of every endpoint', () => {
  const errorOf = async (answer: ReturnType<OpenServer['request']>): Promise<string> => {
    const { status, body } = await answer
    return `${status} ${JSON.parse(body).error}`
  }

  it.each(PATHS)('%s lists its methods: 204 to OPTIONS, 405 to every other, both with Allow', async (path) => {
    const routes = OPERATIONS.map(({ route }) => route.split(' '))
    const methods = routes.filter(([, at]) => at === path).map(([method]) => method!)
    const known = ['OPTIONS', 'TRACE', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])]
    const allow = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].filter((one) =>
      known.includes(one),
    )
    const options = await server.request('OPTIONS', concrete(path))
    expect([options.status, options.headers.allow, options.body]).toEqual([204, allow.join(', '), ''])
    expect(options.headers['x-content-type-options']).toBe('nosniff')
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'LINK'].filter(
      // A user may have the id `import`.
      (one) => !allow.includes(one) && !(path === '/users/import' && ['GET', 'PUT', 'PATCH', 'DELETE'].includes(one)),
    )) {
      const answer = await server.request(method, concrete(path))
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow.join(', ')])
      expect(JSON.parse(answer.body).error).toBe('MethodNotAllowed')
    }
  })

  it('lists the methods of the server as a whole', async () => {
    const answer = await server.request('OPTIONS', '*')
    expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE'])
  })

  const UNKNOWN = `/ /nowhere /users/ /USERS /Users/1 /users/1/ /users//1 //users /users/1/x /subscribe/ /livez/ /confirm
    /confirm/ /confirm/a/b /openapi.json/ /.well-known/ /users%2F1 /./livez /x/../livez /livez;x /livez%20`

  it.each(UNKNOWN.split(/\s+/))('finds nothing at %s: paths match exactly', async (path) => {
    expect(await errorOf(server.request('GET', path, { token: admin }))).toBe('404 NotFound')
  })

  it('ignores method overrides', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const headers = { [name]: 'DELETE' }
      expect((await server.request('GET', '/livez?_method=DELETE', { headers })).status).toBe(200)
    }
  })

  it('switches TRACE off on every path, with Allow', async () => {
    const quiet = await openServer({ trace: false })
    const ofServer = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
    for (const [path, allow] of Object.entries({
      '/users/1': 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
      '/any/where': ofServer,
    }))
      expect(await quiet.ask('TRACE', path)).toMatchObject({
        ...{ status: 405, headers: { allow }, value: { error: 'MethodNotAllowed' } },
      })
    expect((await quiet.request('OPTIONS', '/livez')).headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await quiet.request('OPTIONS', '*')).headers.allow).toBe(ofServer)
    for (const request of ['BREW /livez HTTP/1.1', 'CONNECT example.com:443 HTTP/1.1']) {
      const [answer] = answersIn(await quiet.raw(`${request}\r\nHost: x\r\n\r\n`))
      expect([answer?.status, /\r\nAllow: (.*)/.exec(answer?.head ?? '')?.[1]]).toEqual([405, ofServer])
    }
  })

  it('echoes a valid request id, and makes one otherwise', async () => {
    const idOf = async (headers = {}) => (await server.request('GET', '/livez', { headers })).headers['x-request-id']
    for (const id of ['a', 'A-b_c.9', 'x'.repeat(64)]) expect(await idOf({ 'X-Request-Id': id })).toBe(id)
    for (const id of ['', 'a b', 'x'.repeat(65), 'é', '<x>', 'a,b'])
      expect(await idOf({ 'X-Request-Id': id })).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => idOf()))).size).toBe(20)
  })

  it('has browsers use TLS if its public address does, and leaves them alone if not', async () => {
    for (const [publicUrl, expected] of [
      ['https://rollcall.example', 'max-age=31536000'],
      ['http://rollcall.example', undefined],
    ] as const) {
      const own = await openServer({ publicUrl })
      for (const path of ['/livez', '/nowhere', '/subscribe'])
        expect((await own.request('GET', path)).headers['strict-transport-security']).toBe(expected)
    }
  })

  it('never reveals its version, and always sends nosniff and Date', async () => {
    for (const [method, path, status] of [
      ['GET', '/livez', 200],
      ['GET', '/nowhere', 404],
      ['OPTIONS', '/users', 204],
      ['TRACE', '/', 200],
      ['GET', '/users', 401],
      ['GET', '/subscribe', 200],
      ['POST', '/subscribe', 422],
      ['GET', '/openapi.json', 200],
    ] as const) {
      const answer = await server.request(method, path)
      expect([path, answer.status, answer.headers['x-content-type-options']]).toEqual([path, status, 'nosniff'])
      expect(answer.headers.date).toBeDefined()
      expect([answer.headers.server, answer.headers['x-powered-by']]).toEqual([undefined, undefined])
      if (status !== 204) expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length)
    }
  })

  const NONE = /^Bearer realm="rollcall"$/
  const INVALID = /^Bearer realm="rollcall", error="invalid_token", error_description="[^"\\]+"$/

  it.each([
    ['no header', undefined, NONE],
    ['an empty header', '', NONE],
    ['another scheme', 'Basic YTpi', NONE],
    ['a longer scheme', 'Bearerx abc', NONE],
    ['the scheme alone', 'Bearer', NONE],
    ['an unknown token', 'Bearer abc123', INVALID],
    ['two tokens', 'Bearer a b', INVALID],
    ['two spaces inside', 'Bearer a  b', INVALID],
    ['a tab', 'Bearer\tabc', NONE],
    ['a list', 'Bearer a, Bearer b', INVALID],
    ['characters no token has', 'Bearer a"b', INVALID],
    ['16 KiB of it', `Bearer ${'a'.repeat(15_000)}`, INVALID],
  ])('challenges %s', async (_, authorization, challenge) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization }
    for (const line of ['DELETE /users/1', 'GET /users', 'PUT /feeds/x', 'GET /audit']) {
      const [method = '', path = ''] = line.split(' ')
      const answer = await server.request(method, path, { headers })
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([401, 'Unauthenticated'])
      expect(answer.headers['www-authenticate']).toMatch(challenge)
    }
  })

  it('accepts the scheme in any case, and the token only in the header', async () => {
    const statusOf = async (headers: Record<string, string>, query = '') =>
      (await server.request('GET', `/users${query}`, { headers })).status
    for (const scheme of ['bearer', 'BEARER', 'BeArEr', 'Bearer ', 'bearer    '])
      expect(await statusOf({ Authorization: `${scheme} ${admin}` })).toBe(200)
    const elsewhere = { Cookie: `access_token=${admin}`, 'Proxy-Authorization': `Bearer ${admin}` }
    expect(await statusOf({ ...elsewhere, 'X-Access-Token': admin }, `?access_token=${admin}`)).toBe(401)
    expect((await server.request('PUT', '/users/1', { form: { access_token: admin } })).status).toBe(401)
  })

  it('checks in order: method, token, role, body, existence, condition, fields, conflict', async () => {
    const bad = { headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(20_000) }
    const wrongType = { headers: { 'Content-Type': 'text/plain' }, body: 'x' }
    const tooLong = { headers: { 'Content-Type': 'application/json' }, body: 'x'.repeat(20_000) }
    const notJson = { headers: { 'Content-Type': 'application/json', 'If-Match': '"x"' }, body: 'x' }
    expect(await errorOf(server.request('PROPFIND', '/users/1', bad))).toBe('405 MethodNotAllowed')
    for (const [error, options] of [
      ['401 Unauthenticated', bad],
      ['403 InsufficientPermissions', { ...bad, token: unprivileged }],
      ['415 UnsupportedMediaType', { ...wrongType, token: admin }],
      ['413 PayloadTooLarge', { ...tooLong, token: admin }],
      ['400 MalformedRequest', { ...notJson, token: admin }],
    ] as const)
      expect(await errorOf(server.request('PUT', '/users/1', options))).toBe(error)

    const user = { email: 'order@example.com', name: 'Order', roles: ['admin'] }
    await server.request('PUT', '/users/gone', { token: admin, json: { ...user, roles: [] } })
    await server.request('DELETE', '/users/gone', { token: admin })
    await server.request('PUT', '/users/there', { token: admin, json: user })
    const stale = { 'If-Match': '"stale"' }
    const put = (path: string, json: unknown, headers = {}) =>
      errorOf(server.request('PUT', path, { token: admin, json, headers }))
    expect(await put('/users/gone', { email: 1, roles: 'x' }, stale)).toBe('410 UserDeleted')
    expect(await put('/users/there', { email: 1, roles: 'x' }, stale)).toBe('412 PreconditionFailed')
    expect(await put('/users/there', { email: 1, name: 'x', roles: [] })).toBe('422 InvalidInput')
    expect(await put('/users/there', { ...user, roles: [] })).toBe('409 LastAdministrator')
    expect(await put('/users/other', { ...user, roles: [] })).toBe('409 EmailTaken')

    const del = (path: string, headers = {}) => errorOf(server.request('DELETE', path, { token: admin, headers }))
    expect(await del('/users/never?subscriptions=x', stale)).toBe('404 UserNotFound')
    expect(await del('/users/gone?subscriptions=x', stale)).toBe('410 UserDeleted')
    expect(await del('/users/there?subscriptions=x', stale)).toBe('412 PreconditionFailed')
    expect(await del('/users/there?subscriptions=x')).toBe('422 InvalidInput')
    expect(await del('/users/there?subscriptions=keep&subscriptions=keep')).toBe('422 InvalidInput')
    expect(await del(`/users/there?reason=${'x'.repeat(501)}`)).toBe('422 InvalidInput')
    expect(await del('/users/there?reason=he+is+Order')).toBe('422 InvalidInput')
    expect(await del('/users/there?unknown=1')).toBe('422 InvalidInput')
    expect(await del('/users/there')).toBe('409 LastAdministrator')
  })

  it('asks the policy once for each request', async () => {
    const own = await openServer()
    const token = await own.token('root', 'admin')
    const decide = vi.spyOn(own.useCases.access.table, 'decide')
    for (const { route, guarded, reads } of OPERATIONS.filter((one) => one.guarded)) {
      const [method = '', path = ''] = route.split(' ')
      const type = reads === 'file' ? 'application/x-ndjson' : 'application/json'
      const body = reads === undefined ? {} : { headers: { 'Content-Type': type }, body: '{}\n' }
      decide.mockClear()
      await own.request(method, concrete(path), { token, ...body })
      const asked = decide.mock.calls.filter(([{ permission }]) => permission === guarded!.permission)
      expect([route, asked.length]).toEqual([route, 1])
    }
    // What narrows an export down is no target of it.
    decide.mockClear()
    await own.request('GET', '/subscriptions/export?feed=default', { token })
    expect(decide.mock.calls.map(([{ target }]) => target)).toEqual([undefined])
  })

  it('records a refusal once, with and without a body', async () => {
    const fresh = await openServer()
    const token = await fresh.token('nobody')
    await fresh.request('PUT', '/users/1', { token, json: {} })
    await fresh.request('DELETE', '/users/1', { token })
    await fresh.useCases.refusals.flush()
    const trail = await fresh.request('GET', '/audit', { token: await fresh.token('eve', 'auditor') })
    const records = JSON.parse(trail.body).items
    expect(records.map((it: Record<string, unknown>) => [it.action, it.target, it.outcome, it.count])).toEqual([
      ['user.put', '1', 'InsufficientPermissions', 1],
      ['user.delete', '1', 'InsufficientPermissions', 1],
    ])
  })

  it('reveals only the request id of an unexpected error', async () => {
    const broken = await openServer()
    const secret = new Error('SELECT * FROM users WHERE email = secret@example.com')
    broken.useCases.listUsers.execute = async () => {
      throw secret
    }
    const options = { token: await broken.token('r', 'admin'), headers: { 'X-Request-Id': 'find-me' } }
    const answer = await broken.ask('GET', '/users?query=private', options)
    expect([answer.status, Object.keys(answer.value)]).toEqual([500, ['error', 'message', 'request_id']])
    expect(answer.value).toMatchObject({ error: 'InternalError', request_id: 'find-me' })
    expect(answer.body).not.toMatch(/SELECT|secret|Error:/)
    const line = broken.log.lines.find(({ level }) => level === 'error')
    const fields = { request_id: 'find-me', status: 500, route: '/users', method: 'GET' }
    expect(line?.fields).toMatchObject({ ...fields, err: secret })
  })

  it('answers a thrown value that is not an error', async () => {
    const broken = await openServer()
    broken.useCases.listUsers.execute = () => Promise.reject(undefined)
    const answer = await broken.request('GET', '/users', { token: await broken.token('r', 'admin') })
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([500, 'InternalError'])
  })

  it('answers 503 with Retry-After while storage is down, on public endpoints also as a page', async () => {
    const down = await openServer()
    down.useCases.subscribe.execute = async () => {
      throw new Unavailable()
    }
    const form = { email: 'a@example.com' }
    const answer = await down.ask('POST', '/subscribe', { form })
    expect(answer).toMatchObject({ status: 503, value: { error: 'Unavailable' }, headers: { 'retry-after': '5' } })
    const page = await down.request('POST', '/subscribe', { form, headers: { Accept: 'text/html' } })
    const headers = { 'content-type': 'text/html; charset=utf-8', 'retry-after': '5' }
    expect(page).toMatchObject({ status: 503, headers })
  })

  it('lets no cache keep an error', async () => {
    for (const path of ['/nowhere', '/users', '/confirm/x', '/users/%zz'])
      expect((await server.request('GET', path)).headers['cache-control']).toBe('no-store')
  })

  it('is created without side effects', () => {
    expect(() => createHttpServer({ corsOrigins: [], publicUrl: 'https://x' } as never)).not.toThrow()
  })
})
