import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { Unavailable } from '@rollcall/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { document } from './support/documented.ts'
import type { RequestOptions } from './support/exchange.ts'
import { type OpenServer, openServer } from './support/open-server.ts'

const PATH = '/subscriptions/import'
const NDJSON = { 'Content-Type': 'application/x-ndjson' }
const CSV = { 'Content-Type': 'text/csv' }
const ROWS = '{"email":"a@example.com"}\n{"email":"nobody"}\n{"email":"b@example.com"}\n'

const linesIn = (body: string) =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('POST /subscriptions/import', () => {
  let server: OpenServer
  let token: string

  const open = async (configure?: (server: http.Server) => void) => {
    server = await openServer({}, configure)
    token = await server.token('root', 'admin')
  }
  const send = (body: string | Buffer, headers: object = NDJSON, query = '') =>
    server.request('POST', `${PATH}${query}`, { token, body, headers: { ...headers } } as RequestOptions)
  const emails = async () =>
    (await server.storage.readers.subscriptions.list({ after: 0, limit: 100_000 })).items.map(({ email }) => email)

  it('answers with a line for each refused row, and the summary', async () => {
    await open()
    const { status, headers, body } = await send(ROWS)
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson'])
    expect(headers['transfer-encoding']).toBe('chunked')
    const details = [expect.objectContaining({ field: 'email' })]
    expect(linesIn(body)).toEqual([
      { line: 2, error: 'InvalidInput', message: expect.any(String), details },
      { rows: 3, imported: 2, unchanged: 0, refused: 1, confirmed: 0, pending: 2, ended: 0, interrupted: false },
    ])
    expect(await emails()).toEqual(['a@example.com', 'b@example.com'])
  })

  it('says as the document does why an import that has reported rows does not begin', async () => {
    await open()
    const { status, body } = await send(`${'{\n'.repeat(700)}{"email":"a@example.com","unsubscribed":true}\n`)
    const lines = linesIn(body)
    const [last] = lines.slice(-1)
    expect([status, lines.length > 1, last.error]).toEqual([200, true, 'InvalidInput'])
    expect(last.details).toEqual([{ field: 'column unsubscribed', message: expect.any(String) }])
    const { BrokenOff } = document.components.schemas as Record<string, { properties?: Record<string, object> }>
    expect(BrokenOff?.properties).toMatchObject({ error: { enum: expect.arrayContaining([last.error]) } })
    expect(Object.keys(BrokenOff?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(last)))
    expect(await emails()).toEqual([])
  })

  it('accepts CSV with mapped columns, and sends confirmation mails on request', async () => {
    await open()
    const query = '?mail=send&map=email:E-Mail,name:Name,%20full,locale:a:b'
    const type = { 'Content-Type': 'Text/CSV; charset="UTF-8"' }
    const { body } = await send('E-Mail,"Name, full",a:b\na@example.com,Ä,de\n', type, query)
    expect(linesIn(body)).toMatchObject([{ imported: 1, pending: 1 }])
    const [subscription] = (await server.storage.readers.subscriptions.list({ after: 0, limit: 2 })).items
    expect(subscription).toMatchObject({ email: 'a@example.com', name: 'Ä', locale: 'de' })
  })

  it.each([
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('accepts a file compressed with %s', async (coding, compress) => {
    await open()
    const { body } = await send(compress(ROWS), { ...NDJSON, 'Content-Encoding': coding })
    expect(linesIn(body).at(-1)).toMatchObject({ rows: 3, imported: 2 })
  })

  it.each([
    ['no type', {}],
    ['JSON', { 'Content-Type': 'application/json' }],
    ['another charset', { 'Content-Type': 'text/csv; charset=iso-8859-1' }],
    ['a coding whose window the sender chooses', { ...NDJSON, 'Content-Encoding': 'br' }],
    ['an unknown coding', { ...NDJSON, 'Content-Encoding': 'zstd' }],
  ])('answers 415 to %s', async (_, headers) => {
    await open()
    const { status, body } = await send(ROWS, headers)
    expect([status, JSON.parse(body).error]).toEqual([415, 'UnsupportedMediaType'])
    expect(await emails()).toEqual([])
  })

  it.each([
    ['a column that is missing', 'name\nA\n', CSV, '', 'columns'],
    ['a field that every object inherits', ROWS, NDJSON, '?map=constructor:E-Mail', 'map'],
    ['a field that stands for what objects inherit', ROWS, NDJSON, '?map=__proto__:E-Mail', 'map'],
    ['a malformed map', ROWS, NDJSON, '?map=email', 'map'],
    ['a field that is mapped twice', ROWS, NDJSON, '?map=email:a,email:b', 'map'],
    ['a query that says it twice', ROWS, NDJSON, '?mail=send&mail=send', 'mail'],
  ])('answers 422 to %s, and stores nothing', async (_, file, headers, query, field) => {
    await open()
    const { status, body } = await send(file, headers, query)
    expect([status, JSON.parse(body).details]).toEqual([422, [expect.objectContaining({ field })]])
    expect(await emails()).toEqual([])
  })

  it.each([
    ['what is not compressed as it says', ROWS, { ...NDJSON, 'Content-Encoding': 'gzip' }],
    ['UTF-16', Buffer.from('\ufeffemail\n', 'utf16le'), CSV],
    ['a part of a body', ROWS, { ...NDJSON, 'Content-Range': 'bytes 0-1/2' }],
  ])('answers 400 to %s', async (_, file, headers) => {
    await open()
    const { status, body } = await send(file, headers)
    expect([status, JSON.parse(body).error]).toEqual([400, 'MalformedRequest'])
  })

  it('answers with an error as the last line if the compressed file is cut off on the way', async () => {
    await open()
    const noise = () => randomBytes(30).toString('hex')
    const rows = Array.from({ length: 3_000 }, (_, n) => `{"email":"${noise()}${n % 7 === 0 ? '' : '@example.com'}"}\n`)
    const cut = gzipSync(rows.join('')).subarray(0, -2_000)
    const { status, body } = await send(cut, { ...NDJSON, 'Content-Encoding': 'gzip' })
    const lines = linesIn(body)
    expect([status, lines.at(-1)]).toEqual([200, { error: 'MalformedRequest', message: expect.any(String) }])
    expect(lines[0]).toMatchObject({ line: 1, error: 'InvalidInput' })
    expect((await emails()).length).toBeGreaterThan(1_000)
  })

  it('reports a row once it is stored, while the file is still being sent', async () => {
    await open()
    const headers = { ...NDJSON, Authorization: `Bearer ${token}` }
    const request = http.request({ port: server.port, method: 'POST', path: PATH, headers, agent: false })
    const row = (n: number) => `{"email":"${n}${n % 100 === 0 ? '' : '@example.com'}"}\n`
    request.write(Array.from({ length: 1_000 }, (_, n) => row(n)).join(''))
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const [first] = (await once(response, 'data')) as [Buffer]
    expect(JSON.parse(first.toString().split('\n')[0] ?? '')).toMatchObject({ line: 1 })
    expect((await emails()).length).toBeGreaterThan(0)
    request.end(row(1_001))
    let last = first.toString()
    for await (const chunk of response) last = String(chunk)
    expect(linesIn(last).at(-1)).toMatchObject({ rows: 1_001, refused: 10, imported: 991 })
  })

  it('lets a file arrive slowly, but not a form', async () => {
    await open((it) => {
      it.headersTimeout = 100
      it.requestTimeout = 200
    })
    const socket = net.connect(server.port, '127.0.0.1')
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${ROWS.length}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    // The server looks for slow requests once a second.
    socket.write(ROWS.slice(0, 10))
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    socket.write(ROWS.slice(10))
    if (!socket.closed) await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(answer).toContain('"imported":2')
  })

  it('leaves the connection usable if a file is refused for its header fields', async () => {
    await open()
    const file = `name\n${'x\n'.repeat(200_000)}`
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const options = { token, agent, headers: CSV, body: file }
    for (let times = 0; times < 3; times++) expect((await server.request('POST', PATH, options)).status).toBe(422)
    expect((await server.request('GET', '/livez', { agent })).status).toBe(200)
    agent.destroy()
  })

  it('stops where its client breaks off, without an error in the log', async () => {
    await open()
    const headers = { ...NDJSON, Authorization: `Bearer ${token}` }
    const request = http.request({ port: server.port, method: 'POST', path: PATH, headers, agent: false })
    request.on('error', () => undefined)
    request.write(Array.from({ length: 3_000 }, (_, n) => `{"email":"${n}@example.com"}\n`).join(''))
    while ((await emails()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    request.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(server.log.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    expect((await server.request('GET', '/livez')).status).toBe(200)
  })

  const failing = (lines: readonly object[]) => {
    server.useCases.importSubscriptions.execute = async () =>
      (async function* () {
        yield* lines as never[]
        throw new Unavailable()
      })()
  }

  it('reports in the last line that storage went down on the way', async () => {
    await open()
    failing([{ line: 2, error: 'InvalidInput', message: 'x' }])
    const { status, body } = await send(ROWS)
    expect([status, linesIn(body).at(-1)]).toEqual([200, { error: 'Unavailable', message: expect.any(String) }])
    expect(server.log.lines.find(({ level }) => level === 'warn')).toMatchObject({ fields: { status: 503 } })
  })

  it('writes no content of a file to the log', async () => {
    await open()
    await send('{"email":"secret"}\n{"email":"secret@example.com"}\n', NDJSON, '?map=name:secret')
    expect(JSON.stringify(server.log.lines)).not.toContain('secret')
  })
})

describe('POST /subscriptions/import of a file that says who left', () => {
  const FILE = 'email,type,"notes, all",left_on\na@example.com,regular,x,\nb@example.com,unsubscribed,x,2024-05-01\n'
  let server: OpenServer
  beforeEach(async () => {
    server = await openServer()
  })
  const send = async (query: string) => {
    const token = await server.token('root', 'admin')
    const { status, body } = await server.request('POST', `${PATH}?${query}`, { token, headers: CSV, body: FILE })
    return { status, lines: linesIn(body) }
  }
  const stored = async () =>
    (await server.storage.readers.subscriptions.list({ after: 0, limit: 9 })).items.map(({ status }) => status)

  it('takes what it is told of it', async () => {
    const query = 'map=status:type,ended_at:left_on&status=regular:pending,unsubscribed:ended'
    const summary = { rows: 2, pending: 1, ended: 1, refused: 0, ignored: ['notes, all'] }
    const rehearsed = await send(`${query}&dry_run=true`)
    expect(rehearsed).toMatchObject({ status: 200, lines: [{ ...summary, dry_run: true }] })
    const done = await send(query)
    expect(done).toMatchObject({ status: 200, lines: [summary] })
    expect(done.lines[0]).not.toHaveProperty('dry_run')
    expect(await stored()).toEqual(['pending', 'ended'])
  })

  it('ignores columns by name, those with a comma in quotes', async () => {
    const { lines } = await send(`ignore=${encodeURIComponent('left_on,type,"notes, all"')}`)
    expect(lines).toMatchObject([{ imported: 2, ignored: ['type', 'notes, all', 'left_on'] }])
  })

  it.each(['status=a:gone', 'ignore=a,,b'])('refuses %s', async (query) => {
    expect(await send(query)).toMatchObject({ status: 422, lines: [{ details: [{ field: query.split('=')[0] }] }] })
  })
})
