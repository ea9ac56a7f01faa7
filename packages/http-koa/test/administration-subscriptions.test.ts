import { describe, expect, it } from 'vitest'
import { openServer, sharedServer } from './support/open-server.ts'

const WHY = { reason: 'asked for it by letter' }

const server = await sharedServer()
const admin = await server.token('root', 'admin')
const auditor = await server.token('eve', 'auditor')

describe('administration of subscriptions', () => {
  const ask = (method: string, path: string, json?: unknown, token = admin, headers = {}) =>
    server.ask(method, path, { token, headers, json })
  const subscribe = async (email: string, feed = 'default', name = ''): Promise<number> => {
    const { body } = await server.request('POST', '/subscribe', { form: { email, feed, name } })
    return JSON.parse(body).subscription.id
  }
  const emailsOf = async (query: string) =>
    (await ask('GET', `/subscriptions?${query}`)).value.items.map(({ email }: { email: string }) => email)

  it('lists subscriptions by feed, status and address, page by page', async () => {
    await ask('PUT', '/feeds/list', {})
    for (const n of [1, 2, 3]) await subscribe(`l${n}@example.com`, 'list')
    const id = await subscribe('L1@example.com')
    await ask('POST', `/subscriptions/${id}/confirm`, WHY)
    expect(await emailsOf('feed=list')).toEqual(['l1@example.com', 'l2@example.com', 'l3@example.com'])
    expect(await emailsOf('status=confirmed')).toEqual(['L1@example.com'])
    expect(await emailsOf('email=l1%40EXAMPLE.com')).toEqual(['l1@example.com', 'L1@example.com'])
    expect(await emailsOf('query=L1@ex&sort=newest')).toEqual(['L1@example.com', 'l1@example.com'])
    expect(await emailsOf(`query=${id}`)).toEqual(['L1@example.com'])
    expect(await emailsOf('query=l1&status=pending')).toEqual(['l1@example.com'])
    expect(await emailsOf('email=l1%40example.com&feed=list&status=pending')).toEqual(['l1@example.com'])
    const first = (await ask('GET', '/subscriptions?feed=list&limit=2')).value
    const rest = (await ask('GET', `/subscriptions?feed=list&limit=2&cursor=${first.next}`)).value
    expect([first.items.length, rest.items.length, rest.next]).toEqual([2, 1, null])
  })

  it('explains why an address got a mail, or none', async () => {
    const id = await subscribe('Why@example.com')
    const path = '/subscriptions/explain?email=why%40example.com'
    const { status, value } = await ask('GET', path, undefined, auditor)
    expect(status).toBe(200)
    const known = { email: 'why@example.com', suppression: null, deliverability: 'ok' }
    expect(value).toMatchObject({
      ...{ ...known, subscriptions: [{ id, status: 'pending' }] },
      timeline: [
        { what: 'requested (form)', feed: 'default', message_id: null, until: null },
        { what: 'confirmation mail owed', feed: 'default', message_id: expect.any(String), until: expect.any(String) },
      ],
      conclusion: expect.stringContaining('is due'),
    })
    expect((await ask('GET', '/subscriptions/explain')).value.details).toMatchObject([{ field: 'email' }])
    expect((await ask('GET', '/subscriptions/explain?email=no')).status).toBe(422)
  })

  it.each([
    ['feed=', ['feed']],
    ['email=nonsense&status=gone&feed=No', ['feed', 'status', 'email']],
    ['status=pending&status=ended', ['status']],
  ])('answers 422 to ?%s, naming %j', async (query, named) => {
    const { status, value } = await ask('GET', `/subscriptions?${query}`)
    expect([status, value.details.map(({ field }: { field: string }) => field)]).toEqual([422, named])
  })

  it('returns a subscription and its consent records', async () => {
    const id = await subscribe('ledger@example.com')
    await ask('POST', `/subscriptions/${id}/confirm`, WHY)
    const { status, value, headers } = await ask('GET', `/subscriptions/${id}/consent`, undefined, auditor)
    expect([status, value.next, headers['cache-control']]).toEqual([200, null, 'private, no-cache'])
    expect(value.items).toMatchObject([
      { deed: 'requested', via: 'form', wording: 'double-opt-in/1', client_address: '127.0.0.0/24', count: 1 },
      { deed: 'confirmed', via: 'caller:root', client_address: null, user_agent: null },
    ])
    expect((await ask('GET', '/subscriptions/1/consent')).value.error).toBe('SubscriptionNotFound')
  })

  it('confirms and ends on behalf of the owner, answers with the new state, and is idempotent', async () => {
    const id = await subscribe('behalf@example.com')
    for (const [action, status] of Object.entries({ confirm: 'confirmed', end: 'ended' }))
      for (const again of [1, 2]) {
        const answer = await ask('POST', `/subscriptions/${id}/${action}`, WHY)
        expect([again, answer.status, answer.value.status]).toEqual([again, 200, status])
        expect(answer.headers['cache-control']).toBe('no-store')
        expect(answer.value).toEqual((await ask('GET', `/subscriptions/${id}`)).value)
      }
    const back = await ask('POST', `/subscriptions/${id}/confirm`, WHY)
    expect([back.status, back.value.error]).toEqual([409, 'SubscriptionEnded'])
  })

  it.each(['confirm', 'end'])('checks existence, state and reason before it does %s', async (action) => {
    const id = await subscribe(`${action}@example.com`, 'default', 'Ada Lovelace')
    const path = `/subscriptions/${id}/${action}`
    expect((await ask('POST', `/subscriptions/1/${action}`, {})).value.error).toBe('SubscriptionNotFound')
    expect((await ask('POST', path, {}, admin, { 'If-Match': '"other"' })).status).toBe(412)
    for (const fields of [{}, { reason: '' }, { reason: 1 }, { reason: 'Ada Lovelace asked' }, { reason: 'a\nb' }]) {
      const { status, value } = await ask('POST', path, fields)
      expect([status, value.details[0].field]).toEqual([422, 'reason'])
    }
    const { etag } = (await ask('GET', `/subscriptions/${id}`)).headers
    expect((await ask('POST', path, WHY, admin, { 'If-Match': etag })).status).toBe(200)
    const asForm = await server.request('POST', path, { token: admin, form: WHY })
    expect(asForm.status).toBe(200)
  })

  it('erases a subscription permanently, with a reason, if the precondition holds', async () => {
    const id = await subscribe('erase@example.com')
    const path = `/subscriptions/${id}`
    const { etag } = (await ask('GET', path)).headers
    expect((await ask('DELETE', path, undefined, admin, { 'If-Match': '"other"' })).status).toBe(412)
    expect((await ask('DELETE', `${path}?reason=erase%40example.com`)).value.error).toBe('InvalidInput')
    expect((await ask('DELETE', `${path}?reason=a&reason=b`)).value.error).toBe('InvalidInput')
    const erased = await ask('DELETE', `${path}?reason=ticket%204711`, undefined, admin, { 'If-Match': etag })
    expect([erased.status, erased.body]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expect((await ask(method, path)).value.error).toBe('SubscriptionNotFound')
    const last = (await ask('GET', '/audit?limit=200')).value.items.at(-1)
    expect(last).toMatchObject({ action: 'subscription.erase', target: String(id), reason: 'ticket 4711' })
  })

  it.each(['hash', 'address'])('lists suppressions, and lifts one by its %s', async (how) => {
    await subscribe(`refuse.${how}+tag@example.com`)
    await server.request('POST', (await server.links()).refuse)
    const { value } = await ask('GET', '/suppressions', undefined, auditor)
    const address = expect.stringMatching(/^[0-9a-f]{32}$/)
    const items = [{ address, cause: 'refused', since: expect.any(String), block: null }]
    expect(value).toEqual({ items, next: null })
    const named = how === 'hash' ? value.items[0].address : encodeURIComponent('REFUSE.address+tag@example.com')
    expect((await ask('DELETE', `/suppressions/${named}`)).status).toBe(204)
    const gone = await ask('DELETE', `/suppressions/${named}`)
    expect([gone.status, gone.value.error]).toEqual([404, 'SuppressionNotFound'])
    expect((await ask('GET', '/suppressions')).value.items).toEqual([])
    expect((await ask('DELETE', '/suppressions/%20')).status).toBe(404)
  })

  it('lists events as CloudEvents, after the last one that a consumer has', async () => {
    const fresh = await openServer({ publicUrl: 'https://rollcall.example' })
    const token = await fresh.token('root', 'admin')
    const events = async (query = '') => (await fresh.ask('GET', `/events${query}`, { token })).value
    expect(await events()).toEqual({ items: [], next: null })
    await fresh.request('POST', '/subscribe', { form: { email: 'ada@example.com' } })
    const { items, next } = await events()
    expect([items.length, next]).toEqual([1, null])
    const envelope = { specversion: '1.0', source: 'https://rollcall.example', sequence: '0000000000000001' }
    expect(items[0]).toMatchObject({ ...envelope, data: { email: 'ada@example.com' } })
    await fresh.request('DELETE', `/subscriptions/${items[0].subject}`, { token })
    const later = (await events(`?after=${items[0].sequence}`)).items
    expect(later).toMatchObject([{ type: 'subscription.erased', data: { id: Number(items[0].subject) } }])
    expect((await events(`?after=${later[0].sequence}`)).items).toEqual([])
    expect((await events('?after=!')).error).toBe('MalformedRequest')
  })
})
