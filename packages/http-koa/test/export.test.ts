import { once } from 'node:events'
import http from 'node:http'
import { Unavailable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { type OpenServer, openServer } from './support/open-server.ts'

const PATH = '/subscriptions/export'

describe('GET /subscriptions/export', () => {
  let server: OpenServer

  const open = async (subscriptions = 2) => {
    server = await openServer()
    for (let n = 0; n < subscriptions; n++)
      await server.useCases.subscribe.execute({
        email: `person-${n}@example.com`,
        name: n === 0 ? '=1+1' : '',
        source: { via: 'form', clientAddress: undefined, userAgent: undefined },
      })
    return await server.token('root', 'admin')
  }

  it('streams NDJSON as a download, which no shared cache stores', async () => {
    const token = await open()
    const { status, headers, body } = await server.request('GET', PATH, { token })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="subscriptions.ndjson"',
      'cache-control': 'private, no-cache',
      vary: 'Authorization',
      'transfer-encoding': 'chunked',
    })
    expect(headers.etag).toBeUndefined()
    expect(headers['content-length']).toBeUndefined()
    const records = body.trimEnd().split('\n')
    expect(records.map((line) => JSON.parse(line).email)).toEqual(['person-0@example.com', 'person-1@example.com'])
  })

  it.each([
    ['format=csv&status=pending&feed=default', /^email,.*\r\nperson-0@example.com,'=1\+1,/],
    ['excel=true', /^\ufeffemail,/],
    ['separator=semicolon', /^email;/],
  ])('takes %s for CSV, without formulas, as the command line does', async (query, begin) => {
    const token = await open()
    const { headers, body } = await server.request('GET', `${PATH}?${query}`, { token })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="subscriptions.csv"')
    expect(body).toMatch(begin)
  })

  it('answers HEAD with the same header fields and no body', async () => {
    const token = await open()
    const without = ({ date: _, 'x-request-id': __, ...headers }: http.IncomingHttpHeaders) => headers
    const get = await server.request('GET', `${PATH}?format=csv`, { token })
    const head = await server.request('HEAD', `${PATH}?format=csv`, { token })
    expect([head.status, head.body]).toEqual([200, ''])
    expect(without(head.headers)).toEqual(without(get.headers))
  })

  it('is complete if there are no subscriptions', async () => {
    const token = await open(0)
    expect(await server.request('GET', PATH, { token })).toMatchObject({ status: 200, body: '' })
  })

  it('ends with the connection in HTTP/1.0, which has no chunks', async () => {
    const token = await open(1)
    const answer = await server.raw(`GET ${PATH} HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).not.toMatch(/transfer-encoding/i)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ email: 'person-0@example.com' })
  })

  it.each([
    ['nobody', 401, 'Unauthenticated'],
    ['auditor', 403, 'InsufficientPermissions'],
  ])('is refused to %s before its query is checked', async (who, status, error) => {
    await open(0)
    const token = who === 'nobody' ? {} : { token: await server.token('eve', who) }
    const answer = await server.request('GET', `${PATH}?status=gone&status=gone`, token)
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([status, error])
    expect(answer.headers['content-type']).toBe('application/json')
  })

  it.each(['status=gone', 'format=csv&format=csv'])('answers 422 to %s', async (query) => {
    const token = await open(0)
    const answer = await server.request('GET', `${PATH}?${query}`, { token })
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([422, 'InvalidInput'])
  })

  const failing = async (pieces: readonly string[]) => {
    const token = await open(0)
    const { exportSubscriptions } = server.useCases
    exportSubscriptions.execute = async () =>
      (async function* () {
        yield* pieces
        throw new Unavailable()
      })()
    return token
  }

  it('answers 503 if storage is down from the beginning', async () => {
    const token = await failing([])
    const { status, headers, body } = await server.request('GET', PATH, { token })
    expect([status, JSON.parse(body).error, headers['content-type']]).toEqual([503, 'Unavailable', 'application/json'])
    expect(headers['content-disposition']).toBeUndefined()
  })

  it('breaks off if storage goes down on the way, so that it is not taken for complete', async () => {
    const token = await failing(['{"email":"a@example.com"}\n'])
    await expect(server.request('GET', PATH, { token })).rejects.toThrow(/aborted|socket hang up/)
    expect(server.log.lines.find(({ level }) => level === 'warn')).toMatchObject({
      fields: { route: '/subscriptions/export', status: 503 },
    })
  })

  it('stops reading when its client is gone, and while it does not read', async () => {
    const token = await open(0)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    let pieces = 0
    server.useCases.exportSubscriptions.execute = async () =>
      (async function* () {
        try {
          for (;;) {
            pieces++
            yield 'x'.repeat(100_000)
          }
        } finally {
          end()
        }
      })()
    const headers = { Authorization: `Bearer ${token}` }
    const request = http.get({ port: server.port, path: PATH, headers, agent: false })
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    response.pause()
    let before = -1
    while (before !== pieces) {
      before = pieces
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(pieces).toBeLessThan(500)
    expect((await server.request('GET', '/livez')).status).toBe(200)
    response.destroy()
    await over
  })
})
