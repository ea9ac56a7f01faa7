import { describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'

const server = await sharedServer()
const admin = await server.token('root', 'admin')
const auditor = await server.token('eve', 'auditor')

describe('administration of feeds', () => {
  const ask = (method: string, path: string, json?: unknown, token = admin, headers = {}) =>
    server.ask(method, path, { token, headers, json })
  const subscribe = (email: string, feed: string) => server.request('POST', '/subscribe', { form: { email, feed } })

  it('stores every field, and returns it as it was sent', async () => {
    const topic = { name: 'topic', type: 'choice', label: { en: 'Topic' }, required: true }
    const fields = {
      title: 'The news',
      description: 'Once a month',
      language: 'de',
      sender: 'News <News@example.com>',
      wording: 'Yes,\nplease.',
      return_urls: ['https://example.com/thanks?a=1', 'http://localhost:3000/'],
      confirmed_url: 'https://example.com/welcome',
      home_url: 'https://example.com/',
      open: false,
      fields: [{ ...topic, max: null, choices: ['a'], public: true }],
      accent: '#7a1f5c',
      footer: { de: 'Beispiel GmbH\nWeg 1', en: 'Example Ltd' },
      words: { de: { greeting: 'Moin,', welcome_text: 'Schön.\n\nBis bald.' } },
      welcome: true,
    }
    const created = await ask('PUT', '/feeds/whole', fields)
    const { wording, ...others } = fields
    expect([created.status, created.headers.location, created.value]).toEqual([
      ...[201, '/feeds/whole'],
      {
        name: 'whole',
        ...others,
        wordings: [{ version: 1, text: wording, since: '2026-01-01T00:00:00.000Z' }],
        ...{ logo: null, deleting_since: null },
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
    ])
    expect((await ask('GET', '/feeds/whole', undefined, auditor)).value).toEqual(created.value)
    expect((await ask('PUT', '/feeds/whole', created.value)).status).toBe(204)
    expect((await ask('GET', '/feeds/whole')).value).toEqual(created.value)
    expect((await ask('GET', '/feeds')).value.items.map(({ name }: { name: string }) => name)).toEqual([
      ...['default', 'whole'],
    ])
    expect((await ask('PUT', '/feeds/Bad_Name', {})).status).toBe(422)
  })

  it('accepts a form, with URLs separated by spaces', async () => {
    const form = { open: 'false', return_urls: ' https://a.example/  https://b.example/ ', sender: '', language: '' }
    await server.request('PUT', '/feeds/form', { token: admin, form })
    expect((await ask('GET', '/feeds/form')).value).toMatchObject({
      ...{ open: false, sender: null, language: null },
      return_urls: ['https://a.example/', 'https://b.example/'],
    })
  })

  it.each([
    [{ title: 1 }, 'title'],
    [{ open: 'true' }, 'open'],
    [{ open: 1 }, 'open'],
    [{ return_urls: 'https://a.example/' }, 'return_urls'],
    [{ return_urls: [1] }, 'return_urls'],
    [{ sender: ['a@example.com'] }, 'sender'],
  ])('answers 422 to %j, naming %s', async (fields, named) => {
    const { status, value } = await ask('PUT', '/feeds/invalid', fields)
    expect([status, value.details.map(({ field }: { field: string }) => field)]).toEqual([422, [named]])
    expect((await ask('GET', '/feeds/invalid')).status).toBe(404)
  })

  it('deletes a feed without subscriptions if the precondition holds', async () => {
    await ask('PUT', '/feeds/gone', {})
    const { etag } = (await ask('GET', '/feeds/gone')).headers
    expect((await ask('DELETE', '/feeds/gone', undefined, admin, { 'If-Match': '"other"' })).status).toBe(412)
    expect((await ask('DELETE', '/feeds/gone?subscriptions=burn')).value.details[0].field).toBe('subscriptions')
    const deleted = await ask('DELETE', '/feeds/gone?reason=over', undefined, admin, { 'If-Match': etag })
    expect([deleted.status, deleted.body]).toEqual([204, ''])
    expect((await ask('DELETE', '/feeds/gone')).value.error).toBe('FeedNotFound')
  })

  it("answers 409 for 'default', and for a feed with subscriptions that may not be erased", async () => {
    await ask('PUT', '/feeds/full', {})
    await subscribe('ada@example.com', 'full')
    for (const path of ['/feeds/full', '/feeds/full?subscriptions=keep', '/feeds/default?subscriptions=erase']) {
      const { status, value } = await ask('DELETE', path)
      expect([status, value.error]).toEqual([409, 'FeedInUse'])
    }
    expect((await ask('DELETE', '/feeds/full?subscriptions=erase')).status).toBe(204)
    expect((await ask('GET', '/subscriptions?email=ada%40example.com')).value.items).toEqual([])
    expect((await subscribe('ada@example.com', 'full')).status).toBe(422)
  })
})
