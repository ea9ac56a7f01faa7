import { describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'

const ACCEPTED = 'application/merge-patch+json, application/json'

const server = await sharedServer()
const admin = await server.token('root', 'admin')

describe('PATCH', () => {
  const ask = (method: string, path: string, json?: unknown, headers = {}, token = admin) =>
    server.ask(method, path, { token, headers, json })
  const put = async (id: string, roles: readonly string[] = []) =>
    await ask('PUT', `/users/${id}`, { email: `${id}.mail@example.com`, name: `Name of ${id}`, roles })

  describe('of a user', () => {
    it('changes what is given, keeps the rest, and answers with the record and the entity tag of it', async () => {
      await put('adm', ['admin'])
      await put('ann', ['admin', 'auditor'])
      const { status, value, headers } = await ask('PATCH', '/users/ann', { name: 'Ann Other', unknown: 1 })
      expect([status, value]).toMatchObject([
        200,
        { id: 'ann', email: 'ann.mail@example.com', name: 'Ann Other', roles: ['admin', 'auditor'] },
      ])
      const got = await ask('GET', '/users/ann')
      expect([got.value, got.headers.etag]).toEqual([value, headers.etag])
      expect((await ask('PATCH', '/users/ann', { roles: ['auditor'] })).value.roles).toEqual(['auditor'])
      const { items } = await server.storage.readers.users.list({ after: 0, limit: 9, role: 'admin' })
      expect(items.map(({ id }) => id)).not.toContain('ann')
    })

    it.each([
      [{ email: null }, 'email'],
      [{ name: null }, 'name'],
      [{ roles: null }, 'roles'],
      [{ name: 1 }, 'name'],
    ])('refuses %j with 422', async (patch, field) => {
      await put('cas')
      const before = (await ask('GET', '/users/cas')).value
      const { status, value } = await ask('PATCH', '/users/cas', patch)
      expect({ status, value }).toMatchObject({ status: 422, value: { error: 'InvalidInput', details: [{ field }] } })
      expect((await ask('GET', '/users/cas')).value).toEqual(before)
    })

    it('holds the guards that PUT holds', async () => {
      await put('one.id')
      await put('two.id')
      const outcome = async (...args: Parameters<typeof ask>) => {
        const { status, value } = await ask(...args)
        return [status, value?.error]
      }
      expect(await outcome('PATCH', '/users/one.id', { email: 'two.id.mail@example.com' })).toEqual([409, 'EmailTaken'])
      expect(await outcome('PATCH', '/users/one.id', { email: 'one.id@example.com' })).toEqual([200, undefined])
      expect(await outcome('PATCH', '/users/x@example.com', { name: '' })).toEqual([404, 'UserNotFound'])
      await ask('PUT', '/users/y@example.com', { email: 'z@example.com', name: '', roles: [] })
      expect(await outcome('PATCH', '/users/y@example.com', { email: 'y@example.com' })).toEqual([422, 'InvalidInput'])
      const { headers } = await ask('GET', '/users/one.id')
      await ask('PATCH', '/users/one.id', { name: 'Changed' })
      const stale = { 'If-Match': headers.etag }
      expect(await outcome('PATCH', '/users/one.id', { name: null }, stale)).toEqual([412, 'PreconditionFailed'])
      expect(await outcome('PATCH', '/users/nobody', { name: null }, stale)).toEqual([404, 'UserNotFound'])
      await ask('DELETE', '/users/two.id')
      expect(await outcome('PATCH', '/users/two.id', { name: '' })).toEqual([410, 'UserDeleted'])
    })
  })

  describe('of a feed', () => {
    it('changes what is given; null is as for a new feed', async () => {
      const fields = {
        ...{ title: 'The news', description: 'Monthly', language: 'de', sender: 'News <news@example.com>' },
        ...{ wording: 'Yes', return_urls: ['https://a.example/'], confirmed_url: 'https://a.example/ok' },
        ...{ home_url: 'https://a.example/', open: false },
      }
      const { value: created } = await ask('PUT', '/feeds/some', fields)
      const opened = await ask('PATCH', '/feeds/some', { open: true })
      expect([opened.status, opened.value]).toEqual([200, { ...created, open: true }])
      expect(opened.headers.etag).toBe((await ask('GET', '/feeds/some')).headers.etag)
      const removed = { ...Object.fromEntries(Object.keys(fields).map((name) => [name, null])), open: false }
      expect((await ask('PATCH', '/feeds/some', removed)).value).toMatchObject({
        ...{ title: 'some', description: '', language: null, sender: null, return_urls: [] },
        ...{ confirmed_url: null, home_url: null, open: false },
        wordings: [
          { version: 1, text: 'Yes' },
          { version: 2, text: '' },
        ],
      })
    })

    it('refuses a feed that is not there, and a field that is not valid', async () => {
      expect((await ask('PATCH', '/feeds/none', { title: 'x' })).value.error).toBe('FeedNotFound')
      expect((await ask('PATCH', '/feeds/default', { return_urls: ['x'] })).value).toMatchObject({
        error: 'InvalidInput',
        details: [{ field: 'return_urls' }],
      })
    })

    it('refuses one that is being deleted', async () => {
      await ask('PUT', '/feeds/going', {})
      await server.storage.unitOfWork.run(async ({ feeds }) => {
        const feed = await feeds.find('going' as never)
        if (feed) await feeds.put({ ...feed, deletingSince: 1 })
      })
      expect((await ask('PATCH', '/feeds/going', { title: 'x' })).value.error).toBe('FeedInUse')
    })
  })

  describe('of a webhook', () => {
    it('changes what is given, and never shows the secret', async () => {
      const url = 'https://shop.example.com/events'
      await ask('PUT', '/webhooks/shop', { url, types: ['user.created'] })
      const { status, value } = await ask('PATCH', '/webhooks/shop', { enabled: false })
      expect([status, value]).toMatchObject([200, { url, types: ['user.created'], disabled_because: 'by-hand' }])
      expect(value).not.toHaveProperty('secret')
      expect((await ask('PATCH', '/webhooks/shop', { types: null })).value.types.length).toBeGreaterThan(5)
      const enabled = (await ask('PATCH', '/webhooks/shop', { enabled: null })).value
      expect([enabled.enabled, enabled.disabled_since]).toEqual([true, null])
      expect((await ask('PATCH', '/webhooks/shop', { url: null })).value.details).toMatchObject([{ field: 'url' }])
      expect((await ask('PATCH', '/webhooks/none', {})).value.error).toBe('WebhookNotFound')
    })
  })

  describe('as a request', () => {
    const send = (type: string, body: string, path = '/users/typed') =>
      server.request('PATCH', path, { token: admin, headers: { 'Content-Type': type }, body })

    it('takes both media types of JSON', async () => {
      await put('typed')
      for (const type of ['application/merge-patch+json', 'application/json; charset=utf-8']) {
        const { status, body } = await send(type, JSON.stringify({ name: type }))
        expect([status, JSON.parse(body).name]).toEqual([200, type])
      }
    })

    it.each([
      ['application/x-www-form-urlencoded', 'name=x'],
      ['application/json-patch+json', '[]'],
      ['text/plain', '{}'],
    ])('refuses %s with 415, and says what it takes', async (type, body) => {
      const { status, headers } = await send(type, body)
      expect([status, headers['accept-patch']]).toEqual([415, ACCEPTED])
    })

    it('refuses one without a body with 415', async () => {
      expect((await ask('PATCH', '/users/typed')).status).toBe(415)
    })

    it.each(['[{"name":"x"}]', '"name"', 'null', '12', '', '{'])('refuses %s with 400', async (body) => {
      const answer = await send('application/merge-patch+json', body, '/feeds/default')
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'MalformedRequest'])
    })

    it('has its media types in Accept-Patch, where there is one', async () => {
      const acceptedAt = async (path: string) => (await server.request('OPTIONS', path)).headers['accept-patch']
      for (const path of ['/users/1', '/feeds/1', '/webhooks/1']) expect(await acceptedAt(path)).toBe(ACCEPTED)
      expect(await acceptedAt('/audit')).toBeUndefined()
    })
  })
})
