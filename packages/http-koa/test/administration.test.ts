import { describe, expect, it } from 'vitest'
import { openServer, sharedServer } from './support/open-server.ts'

const server = await sharedServer()
const admin = await server.token('root', 'admin')
const auditor = await server.token('eve', 'auditor')
const unprivileged = await server.token('nobody')

describe('administration', () => {
  const put = (id: string, fields: object) =>
    server.request('PUT', `/users/${encodeURIComponent(id)}`, { token: admin, json: fields })
  const get = (path: string, token = admin) => server.ask('GET', path, { token })

  it('returns a user with exactly the documented keys, in that order', async () => {
    await put('ada', { email: 'Ada@Example.com', name: 'Ada L.', roles: ['auditor', 'admin', 'auditor'] })
    const { body } = await server.request('GET', '/users/ada', { token: auditor })
    expect(body).toBe(
      '{"id":"ada","email":"Ada@example.com","name":"Ada L.","roles":["admin","auditor"],' +
        '"created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}',
    )
  })

  it('accepts a user as a form, with roles separated by spaces', async () => {
    const form = { email: 'form@example.com', name: 'Form', roles: ' auditor  admin ' }
    const created = await server.request('PUT', '/users/form', { token: admin, form })
    expect([created.status, JSON.parse(created.body).roles]).toEqual([201, ['admin', 'auditor']])
    const bare = { token: admin, form: { ...form, roles: '' } }
    expect((await server.request('PUT', '/users/form', bare)).status).toBe(204)
    expect((await get('/users/form')).value.roles).toEqual([])
  })

  it.each([
    [{}, ['email', 'name', 'roles']],
    [{ email: 'x@example.com', name: 'x' }, ['roles']],
    [{ email: 'x@example.com', name: 'x', roles: 'admin' }, ['roles']],
    [{ email: 'x@example.com', name: 'x', roles: [1] }, ['roles']],
    [{ email: 'x@example.com', name: 'x', roles: ['king'] }, ['roles']],
    [{ email: 'x@example.com', name: ['x'], roles: [] }, ['name']],
  ])('answers 422 to %j, naming %j', async (fields, named) => {
    const { status, body } = await put('invalid', fields)
    expect([status, JSON.parse(body).error]).toEqual([422, 'InvalidInput'])
    expect(JSON.parse(body).details.map(({ field }: { field: string }) => field)).toEqual(expect.arrayContaining(named))
    expect((await get('/users/invalid')).status).toBe(404)
  })

  const ESCAPED = ['a/b', 'a%b', 'a?b#c', '%41', "~!@$&'()*+,;=:", 'x'.repeat(255), '9007199254740993', '__proto__']

  it.each(ESCAPED)('finds the user %j under its escaped id, decoded once', async (id) => {
    const created = await put(id, { email: `u${ESCAPED.indexOf(id)}@example.com`, name: '', roles: [] })
    expect([created.status, created.headers.location]).toEqual([201, `/users/${encodeURIComponent(id)}`])
    expect((await get(created.headers.location!)).value.id).toBe(id)
    expect((await server.request('DELETE', created.headers.location!, { token: admin })).status).toBe(204)
  })

  it.each(['.', '..', 'operator:root', 'x'.repeat(256), 'a b', 'a\u00e9', 'x@example.com', '\u0000'])(
    'refuses %j as the id of a user',
    async (id) => {
      const { status, body } = await put(id, { email: 'x@example.com', name: '', roles: [] })
      expect([status, JSON.parse(body).details[0].field]).toEqual([422, 'id'])
    },
  )

  it('hides users from callers without the role: the same 404, byte for byte, whether or not they exist', async () => {
    await put('hidden', { email: 'hidden@example.com', name: '', roles: [] })
    await put('erased', { email: 'erased@example.com', name: '', roles: [] })
    await server.request('DELETE', '/users/erased', { token: admin })
    const answers = await Promise.all(
      ['hidden', 'erased', 'never', '%20', 'x'.repeat(300)].map((id) =>
        server.request('GET', `/users/${id}`, { token: unprivileged }),
      ),
    )
    for (const { status, body, headers } of answers) {
      const { date, 'x-request-id': id, ...steady } = headers
      const { date: otherDate, 'x-request-id': otherId, ...others } = answers[0]!.headers
      expect([status, body, steady]).toEqual([404, answers[0]!.body, others])
    }
    expect(JSON.parse(answers[0]!.body).error).toBe('UserNotFound')
    expect((await get('/users/erased', auditor)).value.error).toBe('UserDeleted')
    expect((await get('/users/hidden', await server.token('hidden'))).status).toBe(200)
  })

  it('lists users oldest first, page by page, and filtered', async () => {
    const fresh = await openServer()
    const token = await fresh.token('root', 'admin')
    for (let i = 1; i <= 5; i++)
      await fresh.request('PUT', `/users/u${i}`, {
        token,
        json: { email: `u${i}@example.com`, name: i === 3 ? 'Ada' : '', roles: i % 2 ? ['auditor'] : [] },
      })
    const ids = async (path: string) => {
      const { value } = await fresh.ask('GET', path, { token })
      expect(Object.keys(value)).toEqual(['items', 'next', 'previous'])
      return { ...value, ids: value.items.map((it: { id: string }) => it.id) }
    }
    const first = await ids('/users?limit=2')
    expect(first.ids).toEqual(['u1', 'u2'])
    const second = await ids(`/users?limit=3&cursor=${first.next}`)
    expect(second).toMatchObject({ ids: ['u3', 'u4', 'u5'], next: null, previous: expect.any(String) })
    expect((await ids(`/users?limit=2&cursor=${second.previous}`)).ids).toEqual(['u1', 'u2'])
    const newest = await ids('/users?limit=2&sort=newest')
    expect([newest.ids, newest.previous]).toEqual([['u5', 'u4'], null])
    expect((await ids(`/users?limit=2&sort=newest&cursor=${newest.next}`)).ids).toEqual(['u3', 'u2'])
    expect((await ids('/users?query=ADA')).ids).toEqual(['u3'])
    expect((await ids('/users?role=auditor')).ids).toEqual(['u1', 'u3', 'u5'])
    expect((await ids('/users?role=auditor&query=u5@')).ids).toEqual(['u5'])
  })

  it.each([
    ['/users?limit=0', '422 InvalidInput'],
    ['/users?limit=201', '422 InvalidInput'],
    ['/users?limit=x', '422 InvalidInput'],
    ['/users?limit=1&limit=2', '422 InvalidInput'],
    ['/users?role=king', '422 InvalidInput'],
    ['/users?query=%00', '422 InvalidInput'],
    ['/users?cursor=%20', '400 MalformedRequest'],
    ['/users?cursor=', '400 MalformedRequest'],
    ['/feeds?cursor=!', '400 MalformedRequest'],
    ['/audit?after=!', '400 MalformedRequest'],
    ['/audit?limit=', '422 InvalidInput'],
    ['/subscriptions/x', '404 SubscriptionNotFound'],
    ['/subscriptions/0', '404 SubscriptionNotFound'],
    ['/subscriptions/9007199254740992', '404 SubscriptionNotFound'],
    ['/feeds/nowhere', '404 FeedNotFound'],
    ['/feeds/DEFAULT', '404 FeedNotFound'],
    ['/webhooks/Shop', '404 WebhookNotFound'],
  ])('answers %s with %s', async (path, expected) => {
    const { status, value } = await get(path)
    expect(`${status} ${value.error}`).toBe(expected)
  })

  it('ignores unknown query parameters, also repeated ones', async () => {
    expect((await get('/users?x=1&x=2&%zz=%zz&limit=1')).status).toBe(200)
  })

  it('returns a subscription with exactly the documented keys, in that order', async () => {
    const form = { email: 'sub@example.com', name: 'Sub', locale: 'fr' }
    const { subscription } = JSON.parse((await server.request('POST', '/subscribe', { form })).body)
    const { body } = await server.request('GET', `/subscriptions/${subscription.id}`, { token: auditor })
    expect(body).toBe(
      `{"name":"Sub","email":"sub@example.com","id":${subscription.id},"feed":"default","status":"pending","locale":"fr",` +
        '"created_at":"2026-01-01T00:00:00.000Z","confirmed_at":null,"ended_at":null}',
    )
  })

  it('records in the audit trail who did what, over which channel, in which request', async () => {
    const headers = { 'X-Request-Id': 'trail-1' }
    const json = { email: 'trail@example.com', name: '', roles: [] }
    await server.request('PUT', '/users/trail', { token: admin, json, headers })
    await server.request('DELETE', '/users/trail?reason=left', { token: admin })
    const { items } = (await get('/audit?limit=200', auditor)).value
    const [made, deleted] = items.filter((it: { target: string }) => it.target === 'trail')
    expect(made).toMatchObject({
      ...{ actor: 'root', role_source: 'token', token_id: 'token-1', channel: 'http', request_id: 'trail-1' },
      ...{ action: 'user.put', outcome: 'done', reason: null, at: '2026-01-01T00:00:00.000Z' },
    })
    expect(deleted).toMatchObject({ action: 'user.delete', outcome: 'done', reason: 'left' })
    const first = (await get('/audit?limit=1')).value
    const second = (await get(`/audit?limit=1&after=${first.next}`)).value
    expect(second.items[0].sequence).toBe(first.items[0].sequence + 1)
  })

  it('reports liveness and readiness', async () => {
    const alive = await server.request('GET', '/livez')
    expect([alive.status, alive.body]).toEqual([200, '{"status":"alive"}'])
    const fresh = await openServer()
    const ready = await fresh.request('GET', '/readyz')
    expect([ready.status, ready.body]).toEqual([200, '{"status":"ready","storage":"ok","outbox":"ok"}'])
    await fresh.storage.close()
    const down = await fresh.request('GET', '/readyz')
    expect([down.status, down.body]).toEqual([503, '{"status":"unavailable","storage":"down","outbox":"ok"}'])
    expect((await fresh.request('GET', '/livez')).status).toBe(200)
  })

  it('publishes the given keys', async () => {
    const keys = { keys: [{ kty: 'OKP', kid: 'k1' }] }
    const keyed = await openServer({ jwks: async () => keys })
    const { status, headers, value } = await keyed.ask('GET', '/.well-known/jwks.json')
    expect([status, headers['content-type'], value]).toEqual([200, 'application/json', keys])
  })
})
