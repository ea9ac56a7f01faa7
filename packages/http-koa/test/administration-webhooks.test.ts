import { EVENT_TYPES } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { openServer, sharedServer } from './support/open-server.ts'

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

const server = await sharedServer()
const admin = await server.token('root', 'admin')

describe('administration of webhooks', () => {
  const ask = (method: string, path: string, json?: unknown, token = admin, headers = {}) =>
    server.ask(method, path, { token, headers, json })

  it('creates a webhook, and shows its secret only in that answer, which no cache may keep', async () => {
    const fields = { url: 'https://shop.example/events', types: ['user.created', 'user.deleted'] }
    const created = await ask('PUT', '/webhooks/shop', fields)
    const headers = { location: expect.stringMatching(/\/webhooks\/shop$/), 'cache-control': 'no-store' }
    expect(created).toMatchObject({ status: 201, headers })
    const { secret, ...record } = created.value
    expect(secret).toMatch(SECRET)
    expect(record).toEqual({
      ...{ name: 'shop', ...fields, enabled: true, disabled_because: null, disabled_since: null },
      ...{ failing_since: null, previous_secret_until: null },
      ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
    })
    expect((await ask('GET', '/webhooks/shop')).value).toEqual(record)
    expect((await ask('GET', '/webhooks')).value).toEqual({ items: [record], next: null })
    const replaced = await ask('PUT', '/webhooks/shop', created.value)
    expect([replaced.status, replaced.body]).toEqual([204, ''])
    expect((await ask('GET', '/audit')).body).not.toContain(secret)
  })

  it('accepts a form, with types separated by spaces; by default all types', async () => {
    const form = { url: 'https://form.example/', types: 'user.deleted  user.created', enabled: 'false' }
    expect((await server.request('PUT', '/webhooks/form', { token: admin, form })).status).toBe(201)
    expect((await ask('GET', '/webhooks/form')).value).toMatchObject({
      ...{ types: ['user.created', 'user.deleted'], enabled: false, disabled_because: 'by-hand' },
    })
    await ask('PUT', '/webhooks/form', { url: 'https://form.example/' })
    const { value } = await ask('GET', '/webhooks/form')
    expect([value.types.length, value.enabled, value.disabled_since]).toEqual([EVENT_TYPES.length, true, null])
  })

  it.each([
    [{}, ['url']],
    [{ url: 7 }, ['url']],
    [{ url: 'https://a.example/', types: 'user.created' }, ['types']],
    [{ url: 'https://a.example/', enabled: 'yes' }, ['enabled']],
  ])('refuses %j', async (fields, names) => {
    const details = names.map((field) => ({ field }))
    const value = { error: 'InvalidInput', details }
    expect(await ask('PUT', '/webhooks/refused', fields)).toMatchObject({ status: 422, value })
  })

  it('shows since when a webhook fails, and so without a date; which is no change of it that a condition would see', async () => {
    const own = await openServer()
    const { useCases, webhookTransport } = own
    const token = await own.token('root', 'admin')
    const fields = { url: 'https://fails.example/' }
    const put = async (headers: Record<string, string> = {}) =>
      (await own.ask('PUT', '/webhooks/fails', { token, headers, json: fields })).status
    const read = async (headers: Record<string, string> = {}) =>
      await own.ask('GET', '/webhooks/fails', { token, headers })
    expect(await put()).toBe(201)
    const before = (await read()).headers
    webhookTransport.otherSide = async () => {
      throw new Error('no')
    }
    await own.ask('PUT', '/users/ada', { token, json: { email: 'ada@example.com', name: '', roles: [] } })
    await useCases.deliverEvents.advance({})
    await useCases.deliverEvents.finish()
    const { etag = '', 'last-modified': date = '' } = before
    const conditions = { 'If-None-Match': etag, 'If-Modified-Since': date }
    for (const [name, value] of Object.entries(conditions)) {
      const { status, value: shown, headers } = await read({ [name]: value })
      expect([status, shown.failing_since, headers['last-modified']]).toEqual([200, expect.any(String), undefined])
    }
    const { items } = (await own.ask('GET', '/webhooks', { token })).value
    expect(items).toMatchObject([{ failing_since: expect.any(String) }])
    expect(await put({ 'If-Match': etag })).toBe(204)
    expect(await put({ 'If-Unmodified-Since': 'Wed, 31 Dec 2025 23:59:59 GMT' })).toBe(412)
  })

  it('rotates a secret, with an overlap unless the old one is revoked', async () => {
    await ask('PUT', '/webhooks/rotated', { url: 'https://rotated.example/' })
    const rotated = await ask('POST', '/webhooks/rotated/rotate', {})
    expect([rotated.status, rotated.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(rotated.value).toMatchObject({
      ...{ name: 'rotated', secret: expect.stringMatching(SECRET), previous_secret_until: '2026-01-02T00:00:00.000Z' },
    })
    const again = await server.request('POST', '/webhooks/rotated/rotate', { token: admin, form: { revoke: 'true' } })
    expect(JSON.parse(again.body).previous_secret_until).toBeNull()
    expect(JSON.parse(again.body).secret).not.toBe(rotated.value.secret)
    expect((await ask('POST', '/webhooks/rotated/rotate', { revoke: 'now' })).status).toBe(422)
    expect((await ask('POST', '/webhooks/nobody/rotate', {})).value.error).toBe('WebhookNotFound')
  })

  it('redelivers events from a position, or those that were parked', async () => {
    await ask('PUT', '/users/ada', { email: 'ada@example.com', name: '', roles: [] })
    await ask('PUT', '/webhooks/again', { url: 'https://again.example/' })
    const redeliver = (fields: object) => ask('POST', '/webhooks/again/redeliver', fields)
    const nothing = { webhook: 'again', after: null, retried: 0 }
    expect(await redeliver({ parked: true })).toMatchObject({ status: 200, value: nothing })
    expect((await redeliver({ after: '0' })).value).toEqual({ ...nothing, after: '0000000000000000' })
    expect((await redeliver({ since: '2026-01-01T00:00:00Z' })).value).toEqual(nothing)
    expect((await redeliver({})).value.error).toBe('InvalidInput')
    expect((await redeliver({ after: '0', parked: true })).value.error).toBe('InvalidInput')
    expect((await redeliver({ after: '?' })).value.error).toBe('MalformedRequest')
    expect((await redeliver({ since: 'never' })).value.error).toBe('InvalidInput')
    expect((await ask('POST', '/webhooks/nobody/redeliver', { parked: true })).value.error).toBe('WebhookNotFound')
  })
})
