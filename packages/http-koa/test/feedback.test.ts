import { type FeedbackVerifier, operator, SignatureNotValid, Unavailable } from '@rollcall/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { CountingLimiter } from './support/counting-limiter.ts'
import { type OpenServer, openServer } from './support/open-server.ts'

describe('feedback', () => {
  let server: OpenServer
  let admin: string
  let sender: string
  let auditor: string
  beforeEach(async () => {
    server = await openServer()
    admin = await server.token('root', 'admin')
    sender = await server.token('mailer', 'sender')
    auditor = await server.token('eve', 'auditor')
  })

  const ask = (method: string, path: string, json?: unknown, token = admin) => server.ask(method, path, { token, json })
  const confirmed = async (email: string): Promise<number> => {
    const { body } = await server.request('POST', '/subscribe', { form: { email } })
    const { id } = JSON.parse(body).subscription
    await ask('POST', `/subscriptions/${id}/confirm`, { reason: 'asked for it by letter' })
    return id
  }
  const report = (items: unknown, token = sender) => ask('POST', '/feedback', { items }, token)
  const undeliverable = async (query = '') =>
    (await ask('GET', `/undeliverable${query}`, undefined, auditor)).value.items

  it('makes an address undeliverable, which is listed by hash and can be lifted', async () => {
    const id = await confirmed('ada@example.com')
    const bounce = { kind: 'bounce', subscription: id, permanent: true, status: '5.1.1', provider_id: 'x' }
    expect(await report([bounce])).toMatchObject({ status: 204, body: '' })
    const [item] = await undeliverable()
    const address = expect.stringMatching(/^[0-9a-f]{32}$/)
    expect(item).toEqual({ address, state: 'undeliverable', since: expect.any(String), status: '5.1.1' })
    expect(await undeliverable('?state=failing')).toEqual([])
    expect((await ask('DELETE', `/undeliverable/${item.address}`)).status).toBe(204)
    expect(await undeliverable()).toEqual([])
    expect((await ask('DELETE', `/undeliverable/${item.address}`)).value.error).toBe('UndeliverableNotFound')
  })

  it('says of every item what is wrong with it, and takes none', async () => {
    const id = await confirmed('ada@example.com')
    const { status, value } = await report([
      { kind: 'bounce', subscription: id, permanent: true },
      { kind: 'bounce', subscription: 'x', permanent: 'yes' },
      'bounce',
    ])
    expect([status, value.error]).toEqual([422, 'InvalidInput'])
    const fields = value.details.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(['items.1.permanent', 'items.1.subscription', 'items.2'])
    expect((await report([{ kind: 'open', subscription: id }])).value.details).toMatchObject([
      { field: 'items.0.kind' },
    ])
    expect((await report([])).value.details).toMatchObject([{ field: 'items' }])
    expect((await ask('POST', '/feedback', {}, sender)).value.details).toMatchObject([{ field: 'items' }])
    expect(await undeliverable()).toEqual([])
  })

  it('takes 500 items of JSON, and nothing else', async () => {
    const id = await confirmed('ada@example.com')
    const when = { at: '2026-01-01T00:00:00Z', provider_id: 'x'.repeat(255) }
    const item = { kind: 'bounce', subscription: id, status: '4.2.2', ...when }
    expect((await report(Array.from({ length: 500 }, () => item))).status).toBe(204)
    expect((await report(Array.from({ length: 501 }, () => item))).status).toBe(422)
    const form = await server.request('POST', '/feedback', { token: sender, form: { items: '[]' } })
    expect(form.status).toBe(415)
  })

  it('waits beyond 100 addresses a day, until an administrator accepts or drops it', async () => {
    const items = []
    for (let n = 0; n < 102; n++) items.push({ kind: 'complaint', subscription: await confirmed(`a${n}@example.com`) })
    expect((await report(items)).status).toBe(204)
    const { value } = await ask('GET', '/feedback')
    expect(value.items).toHaveLength(2)
    expect(value.items[0]).toMatchObject({ caller: 'mailer', feeds: null, kind: 'complaint', status: null })
    const ids = value.items.map(({ id }: { id: number }) => id)
    expect((await ask('POST', '/feedback/accept', { ids: [ids[0]] })).value).toEqual({ decided: 1 })
    expect((await ask('POST', '/feedback/drop', { ids })).value).toEqual({ decided: 1 })
    expect((await ask('GET', '/feedback')).value.items).toEqual([])
    expect((await ask('POST', '/feedback/drop', { ids: ['x'] })).status).toBe(422)
    expect((await ask('POST', '/feedback/drop', { ids: [0] })).status).toBe(422)
    const statuses = []
    for (const { subscription } of items.slice(-2))
      statuses.push((await ask('GET', `/subscriptions/${subscription}`)).value.status)
    expect(statuses).toEqual(['ended', 'confirmed'])
  })
})

describe('POST /feedback/ses', () => {
  const MIB = 1024 * 1024
  /** Believes what begins with `signed`, and takes the rest for what it reports. */
  const verifier: FeedbackVerifier = {
    verify: async (body) => {
      const text = Buffer.from(body).toString()
      if (text === 'down') throw new Unavailable()
      if (!text.startsWith('signed')) throw new SignatureNotValid()
      return text.length > 1_000 ? [] : JSON.parse(text.slice('signed'.length))
    },
  }
  const open = (quota = 100) =>
    openServer({ rateLimiter: new CountingLimiter(quota) }, undefined, { feedbackVerifiers: { ses: verifier } })
  const send = async (server: OpenServer, body: string | Buffer, headers: Record<string, string> = {}) => {
    const answer = await server.request('POST', '/feedback/ses', { body, headers })
    return [answer.status, JSON.parse(answer.body).error]
  }

  it('takes what is signed, whatever its type, without a token, and records it as the service itself', async () => {
    const server = await open()
    const items = [
      { kind: 'bounce', address: 'ada@example.com', permanent: true },
      { kind: 'bounce', address: 'nonsense' },
    ]
    for (const type of ['text/plain; charset=UTF-8', 'application/json', 'x'])
      expect(await send(server, `signed${JSON.stringify(items)}`, { 'Content-Type': type })).toEqual([200, undefined])
    const { items: audit } = await server.useCases.listAudit.execute({}, operator('root'))
    const record = { actor: 'operator:rollcall', channel: 'feedback', action: 'feedback.record', count: 1 }
    expect(audit[0]).toMatchObject({ ...record, requestId: expect.any(String) })
  })

  it('is 403 where it is not signed, and where no provider is configured', async () => {
    const server = await open()
    expect(await send(server, 'forged')).toEqual([403, 'SignatureNotValid'])
    expect(await send(server, '')).toEqual([403, 'SignatureNotValid'])
    const without = await openServer()
    expect(await send(without, 'signed[]')).toEqual([403, 'SignatureNotValid'])
  })

  it('counts every failure against its client, and no message that is signed', async () => {
    const server = await open(2)
    for (let n = 0; n < 5; n++) expect(await send(server, 'signed[]')).toEqual([200, undefined])
    expect(await send(server, 'down')).toEqual([503, 'Unavailable'])
    expect(await send(server, 'forged')).toEqual([403, 'SignatureNotValid'])
    expect(await send(server, 'signed[]', { 'Content-Encoding': 'gzip' })).toEqual([415, 'UnsupportedMediaType'])
    expect(await send(server, 'forged')).toEqual([429, 'TooManyRequests'])
    expect(await send(server, 'signed[]')).toEqual([200, undefined])
  })

  it('takes at most 1 MiB, whole and not compressed', async () => {
    const server = await open()
    const padded = (length: number) => `signed${'x'.repeat(length - 'signed'.length)}`
    expect(await send(server, padded(MIB))).toEqual([200, undefined])
    expect(await send(server, padded(MIB + 1))).toEqual([413, 'PayloadTooLarge'])
    const chunks = `${(MIB + 1).toString(16)}\r\n${padded(MIB + 1)}\r\n0\r\n\r\n`
    const stream = await server.raw(
      `POST /feedback/ses HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
    )
    expect(stream).toContain('413')
    expect(await send(server, 'signed[]', { 'Content-Range': 'bytes 0-7/8' })).toEqual([400, 'MalformedRequest'])
    for (const coding of ['gzip', 'br', 'x'])
      expect(await send(server, 'signed[]', { 'Content-Encoding': coding })).toEqual([415, 'UnsupportedMediaType'])
    expect(await send(server, 'signed[]', { 'Content-Encoding': 'identity' })).toEqual([200, undefined])
  })
})
