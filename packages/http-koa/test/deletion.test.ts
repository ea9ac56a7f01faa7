import { beforeEach, describe, expect, it } from 'vitest'
import { openServer } from './support/open-server.ts'

const GRACE = 60_000
let server: Awaited<ReturnType<typeof openServer>>
let token: string
const json = (body: string) => JSON.parse(body)
const ask = (method: string, path: string, more: object = {}) => server.request(method, path, { token, ...more })
const putAda = () => ask('PUT', '/users/ada', { json: { email: 'ada@example.com', name: 'Ada', roles: ['auditor'] } })

beforeEach(async () => {
  server = await openServer({}, undefined, { deleteGrace: GRACE })
  token = await server.token('root', 'admin')
  await putAda()
})

describe('GET /users/{id}/export', () => {
  it('returns everything stored about a user to an administrator and to the user itself', async () => {
    await server.request('POST', '/subscribe', { form: { email: 'ada@example.com' } })
    for (const who of [token, await server.token('ada')]) {
      const answer = await ask('GET', '/users/ada/export', { token: who })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'private, no-store',
        vary: 'Authorization',
      })
      expect(json(answer.body)).toMatchObject({
        user: { id: 'ada', email: 'ada@example.com', roles: ['auditor'] },
        subscriptions: [{ email: 'ada@example.com', status: 'pending' }],
        deliverability: null,
        waiting_feedback: [],
        tokens: [],
        sessions: [],
        audit: [{ action: 'user.put', target: 'ada' }],
      })
    }
  })

  it('hides the user from all others', async () => {
    for (const id of ['ada', 'nobody']) {
      const other = await ask('GET', `/users/${id}/export`, { token: await server.token('mallory') })
      expect([other.status, json(other.body).error]).toEqual([404, 'UserNotFound'])
    }
  })
})

describe('a deletion with a grace period', () => {
  it('takes effect at once, has a receipt, and can be undone', async () => {
    const own = await server.token('ada')
    expect((await ask('DELETE', '/users/ada?reason=left')).status).toBe(204)
    expect((await ask('GET', '/users/ada')).status).toBe(410)
    expect((await ask('GET', '/users/ada', { token: own })).status).toBe(401)
    expect(json((await ask('GET', '/users')).body).items).toEqual([])
    expect(json((await ask('GET', '/users/ada/erasure')).body)).toMatchObject({
      user_id: 'ada',
      deleted_by: 'root',
      reason: 'left',
      erases_at: new Date(server.clock.now() + GRACE).toISOString(),
      erased: { users: 0 },
      kept: [{ what: 'user', count: 1 }, { what: 'id' }, { what: 'audit records' }],
    })
    const restored = await ask('POST', '/users/ada/restore', { json: { reason: 'a mistake' } })
    expect([restored.status, json(restored.body).id]).toEqual([200, 'ada'])
    expect((await ask('GET', '/users/ada', { token: own })).status).toBe(401)
    expect((await ask('GET', '/users/ada/erasure')).status).toBe(404)
    server.clock.advance(1_000)
    expect((await ask('GET', '/users/ada', { token: await server.token('ada') })).status).toBe(200)
  })

  it('cannot be undone after the grace period', async () => {
    expect((await ask('DELETE', '/users/ada')).status).toBe(204)
    server.clock.advance(GRACE)
    await server.useCases.eraseHeldUsers.execute()
    expect((await ask('POST', '/users/ada/restore')).status).toBe(410)
    expect((await ask('POST', '/users/nobody/restore')).status).toBe(404)
    expect(json((await ask('GET', '/users/ada/erasure')).body)).toMatchObject({
      erases_at: null,
      erased: { users: 1 },
      kept: [{ what: 'id' }, { what: 'audit records' }],
    })
  })
})

describe('DELETE /users/{id} with subscriptions_expected', () => {
  it('refuses if the address has another number of subscriptions, or the value is not a number', async () => {
    await server.request('POST', '/subscribe', { form: { email: 'ada@example.com' } })
    expect((await ask('DELETE', '/users/ada?subscriptions_expected=0')).status).toBe(412)
    const invalid = await ask('DELETE', '/users/ada?subscriptions_expected=-1')
    const details = [{ field: 'subscriptions_expected', message: 'Give a whole number.' }]
    expect([invalid.status, json(invalid.body).details]).toEqual([422, details])
    expect((await ask('DELETE', '/users/ada?subscriptions_expected=1')).status).toBe(204)
  })
})
