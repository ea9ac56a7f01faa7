import { beforeEach, describe, expect, it } from 'vitest'
import { type OpenServer, openServer } from './support/open-server.ts'

const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }

let server: OpenServer
let sender: string
let bound: string

beforeEach(async () => {
  server = await openServer()
  const admin = await server.token('root', 'admin')
  for (const name of ['weekly', 'daily']) await server.request('PUT', `/feeds/${name}`, { token: admin, json: {} })
  sender = await server.token('mailer', 'sender')
  bound = (await server.tokens.issue({ subject: 'bound', roles: ['sender'], feeds: ['weekly'], lifetime: 3600 })).token
})

const confirmed = async (email: string, feed: string): Promise<number> => {
  const { id } = await server.useCases.subscribe.execute({ email, feed, source: SOURCE })
  const { confirm } = await server.links()
  await server.request('POST', confirm)
  return id
}

describe('GET /feeds/{name}/recipients', () => {
  it('streams NDJSON that no cache stores, with the links that do what they say', async () => {
    const id = await confirmed('ada@example.com', 'weekly')
    const { status, headers, body } = await server.request('GET', '/feeds/weekly/recipients', { token: sender })
    const type = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }
    expect({ status, headers }).toMatchObject({ status: 200, headers: { ...type, 'cache-control': 'no-store' } })
    const [head, ada, end] = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([head.feed, ada.id, end]).toEqual(['weekly', id, { recipients: 1 }])
    const events = async () =>
      (await server.ask('GET', `/events?after=${head.events_after}`, { token: sender })).value.items
    expect(await events()).toEqual([])
    expect((await server.request('POST', new URL(ada.unsubscribe_url).pathname)).status).toBe(200)
    expect(await events()).toMatchObject([{ type: 'subscription.ended', data: { id, feed: 'weekly' } }])
  })
})

describe('a sender that is bound to feeds', () => {
  it('gets the same 404 for every other feed as for none, from each endpoint', async () => {
    const id = await confirmed('ada@example.com', 'daily')
    const ask = async (feed: string) => {
      const list = await server.request('GET', `/feeds/${feed}/recipients`, { token: bound })
      const json = { ids: [id] }
      const check = await server.request('POST', `/feeds/${feed}/recipients/check`, { token: bound, json })
      return [list.status, list.body, check.status, check.body]
    }
    const unknown = await ask('no-such-feed')
    expect(unknown).toMatchObject([404, expect.stringContaining('FeedNotFound'), 404, expect.any(String)])
    for (const feed of ['daily', 'default']) expect(await ask(feed)).toEqual(unknown)
    expect((await ask('weekly'))[0]).toBe(200)
    expect((await ask('weekly'))[3]).toBe(JSON.stringify({ send: [], skip: [{ id, because: 'unknown' }] }))
  })
})

describe('checks', () => {
  const CHECKS = ['/feeds/weekly/recipients/check', '/suppressions/check']
  const PROPER = {
    '/feeds/weekly/recipients/check': { ids: [1] },
    '/suppressions/check': { addresses: ['a@b.example'] },
  }

  it('take JSON of 512 KiB, and nothing else', async () => {
    for (const path of CHECKS) {
      const fill = (length: number) =>
        JSON.stringify({ ...PROPER[path as keyof typeof PROPER], fill: 'x'.repeat(length) })
      const json = { 'Content-Type': 'application/json' }
      const send = (body: string, headers: Record<string, string> = json) =>
        server.request('POST', path, { token: sender, body, headers })
      const overhead = fill(0).length
      expect((await send(fill(512 * 1024 - overhead))).status).toBe(200)
      const large = await send(fill(512 * 1024 - overhead + 1))
      expect([large.status, JSON.parse(large.body).message]).toEqual([413, expect.stringContaining('512 KiB')])
      expect((await send('ids=1', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(415)
      expect((await send('x', {})).status).toBe(415)
      expect((await server.request('POST', path, { token: sender })).status).toBe(415)
      expect((await send('[]')).status).toBe(400)
      for (const ids of [undefined, '1', [], ['1', 1]])
        expect([ids, (await send(JSON.stringify({ ids, addresses: ids }))).status]).toEqual([ids, 422])
    }
  })

  it('tell a sender which addresses are blocked, and an administrator why', async () => {
    const admin = await server.token('root', 'admin')
    const json = { addresses: ['ada@example.com', ' nobody'] }
    const asked = await server.request('POST', '/suppressions/check', { token: sender, json })
    expect([asked.status, asked.body, asked.headers['cache-control']]).toEqual([
      200,
      '{"blocked":[],"unread":[" nobody"]}',
      'no-store',
    ])
    const byAdmin = await server.request('POST', '/suppressions/check', { token: admin, json })
    expect(byAdmin.body).toBe('{"blocked":[],"unread":[" nobody"],"reasons":[]}')
  })
})
