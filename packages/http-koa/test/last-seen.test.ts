import { beforeEach, describe, expect, it } from 'vitest'
import { type OpenServer, openServer } from './support/open-server.ts'

const DAY = 86_400_000
const BOB = { email: 'bob.mail@example.com', name: 'Bob Smith', roles: ['auditor'] }

describe('when a user was last seen', () => {
  let server: OpenServer
  let admin: string
  beforeEach(async () => {
    server = await openServer()
    admin = await server.token('root', 'admin')
    await ask('PUT', '/users/bob', BOB)
  })

  const ask = (method: string, path: string, json?: unknown, token = admin, headers = {}) =>
    server.ask(method, path, { token, headers, json })
  const tagOf = ({ headers: { etag } }: Awaited<ReturnType<typeof ask>>): string => etag as string
  const today = () => new Date(server.clock.now()).toISOString().slice(0, 10)
  /** A token of bob is taken, which is stored soon after. */
  const seeBob = async () => {
    expect((await ask('GET', '/users/bob', undefined, await server.token('bob', 'auditor'))).status).toBe(200)
    await server.useCases.uses.flush()
  }

  it('is in its record, its export and the list, and changes neither time nor what others may do', async () => {
    const before = await ask('GET', '/users/bob')
    expect(before.value).not.toHaveProperty('last_seen_at')
    await seeBob()
    const seen = await ask('GET', '/users/bob')
    const record = { ...before.value, last_seen_at: `${today()}T00:00:00.000Z` }
    expect(seen.value).toEqual(record)
    expect((await ask('GET', '/users')).value.items).toEqual([record])
    expect((await ask('GET', '/users/bob/export')).value.user).toEqual(record)

    const [earlier, later] = [tagOf(before), tagOf(seen)]
    expect(later).not.toBe(earlier)
    const shown = async (etag: string) =>
      (await ask('GET', '/users/bob', undefined, admin, { 'If-None-Match': etag })).status
    expect([await shown(earlier), await shown(later)]).toEqual([200, 304])
    const since = (date: string | undefined) =>
      ask('GET', '/users/bob', undefined, admin, { 'If-Modified-Since': date ?? '' })
    const date = before.headers['last-modified']
    expect((await since(date)).status).toBe(200)
    server.clock.advance(DAY)
    admin = await server.token('root', 'admin')
    const next = await since(date)
    expect([next.status, (await since(next.headers['last-modified'])).status]).toEqual([200, 304])
    // Who read it before it was seen still changes what was read.
    expect((await ask('PUT', '/users/bob', BOB, admin, { 'If-Match': earlier })).status).toBe(204)
  })

  it('does not let pass a condition on what somebody has changed', async () => {
    const etag = tagOf(await ask('GET', '/users/bob'))
    await seeBob()
    server.clock.advance(5_000)
    const patched = await ask('PATCH', '/users/bob', { name: 'Bob' }, admin, { 'If-Match': etag })
    expect([patched.status, patched.value]).toEqual([200, { ...patched.value, name: 'Bob' }])
    expect(tagOf(patched)).toBe(tagOf(await ask('GET', '/users/bob')))
    expect((await ask('DELETE', '/users/bob', undefined, admin, { 'If-Match': etag })).status).toBe(412)
    expect((await ask('DELETE', '/users/bob', undefined, admin, { 'If-Match': tagOf(patched) })).status).toBe(204)
  })

  it('finds those who were not seen since a day', async () => {
    const ids = async (query: string) => {
      const { status, value } = await ask('GET', `/users?${query}`)
      return [status, value.items?.map(({ id }: { id: string }) => id) ?? value.details]
    }
    await ask('PUT', '/users/ada', { ...BOB, email: 'ada.mail@example.com', roles: [] })
    server.clock.advance(3 * DAY)
    admin = await server.token('root', 'admin')
    const day = today()
    expect(await ids(`inactive_since=${day}`)).toEqual([200, ['bob', 'ada']])
    await seeBob()
    expect(await ids(`inactive_since=${day}`)).toEqual([200, ['ada']])
    expect(await ids(`inactive_since=${day}&role=auditor`)).toEqual([200, []])
    for (const query of ['inactive_since=yesterday', 'inactive_since=2026-02-30', 'inactive_since=2999-01-01'])
      expect(await ids(query)).toEqual([422, [{ field: 'inactive_since', message: expect.any(String) }]])
    const details = [{ field: 'inactive_since', message: expect.stringContaining('Leave out the query') }]
    expect(await ids(`inactive_since=${day}&query=ada`)).toEqual([422, details])
  })

  it('is not noted of who is not stored, or refused', async () => {
    await ask('POST', '/users/bob/suspend', {})
    expect((await ask('GET', '/users', undefined, await server.token('bob', 'auditor'))).status).toBe(401)
    await ask('GET', '/users')
    await server.useCases.uses.flush()
    expect((await ask('GET', '/users/bob')).value).not.toHaveProperty('last_seen_at')
    expect((await ask('GET', '/users')).value.items).toHaveLength(1)
  })
})
