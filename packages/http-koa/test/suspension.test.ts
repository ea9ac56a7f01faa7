import { beforeEach, describe, expect, it } from 'vitest'
import { type OpenServer, openServer } from './support/open-server.ts'

const BOB = { email: 'bob.mail@example.com', name: 'Bob Smith', roles: ['auditor'] }

describe('suspending a user', () => {
  let server: OpenServer
  let admin: string
  beforeEach(async () => {
    server = await openServer()
    admin = await server.token('root', 'admin')
    await ask('PUT', '/users/bob', BOB)
  })

  const ask = (method: string, path: string, json?: unknown, token = admin, headers = {}) =>
    server.ask(method, path, { token, headers, json })
  const outcome = async (...args: Parameters<typeof ask>) => {
    const { status, value } = await ask(...args)
    return [status, value?.error]
  }

  it('answers with the record and since when, which is there only while it is suspended', async () => {
    const before = (await ask('GET', '/users/bob')).value
    expect(before).not.toHaveProperty('suspended_at')
    server.clock.advance(5_000)
    const { status, value } = await ask('POST', '/users/bob/suspend', { reason: 'ticket 4711' })
    const at = new Date(server.clock.now()).toISOString()
    expect([status, value]).toEqual([200, { ...before, updated_at: at, suspended_at: at }])
    expect((await ask('GET', '/users/bob')).value).toEqual(value)
    expect((await ask('GET', '/users?suspended=true')).value.items).toEqual([value])
    expect((await ask('GET', '/users?suspended=false')).value.items).toEqual([])
    expect((await ask('GET', '/users?suspended=perhaps')).status).toBe(422)
    expect((await ask('GET', '/users/bob/export')).value.user).toEqual(value)
    server.clock.advance(5_000)
    const resumed = await ask('POST', '/users/bob/resume', {})
    const later = new Date(server.clock.now()).toISOString()
    expect([resumed.status, resumed.value]).toEqual([200, { ...before, updated_at: later }])
  })

  it('refuses its tokens at once, and those from before its resumption for ever', async () => {
    const old = await server.token('bob', 'auditor')
    expect((await ask('GET', '/users', undefined, old)).status).toBe(200)
    await ask('POST', '/users/bob/suspend', {})
    const refused = await ask('GET', '/users', undefined, old)
    const challenge = 'error="invalid_token", error_description="The user of this token is suspended.'
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, expect.stringContaining(challenge)])
    server.clock.advance(60_000)
    const meanwhile = await server.token('bob', 'auditor')
    expect((await ask('GET', '/users/bob', undefined, meanwhile)).status).toBe(401)
    server.clock.advance(60_000)
    await ask('POST', '/users/bob/resume', {})
    for (const token of [old, meanwhile]) expect((await ask('GET', '/users', undefined, token)).status).toBe(401)
    server.clock.advance(1_000)
    expect((await ask('GET', '/users', undefined, await server.token('bob'))).status).toBe(200)
  })

  it('is refused for a user that is not there, and for another state than expected', async () => {
    expect(await outcome('POST', '/users/nobody/suspend', {})).toEqual([404, 'UserNotFound'])
    const stale = { 'If-Match': '"stale"' }
    expect(await outcome('POST', '/users/bob/suspend', {}, admin, stale)).toEqual([412, 'PreconditionFailed'])
    expect(await outcome('POST', '/users/bob/suspend', { reason: 7 })).toEqual([422, 'InvalidInput'])
    expect((await ask('GET', '/users/bob')).value).not.toHaveProperty('suspended_at')
  })
})
