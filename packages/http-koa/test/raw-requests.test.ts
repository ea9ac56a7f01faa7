import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'
import { answersIn, type RawAnswer } from './support/raw.ts'

const ok = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

const server = await sharedServer()
const statusesOf = async (bytes: Parameters<typeof server.raw>[0]) =>
  answersIn(await server.raw(bytes)).map(({ status }) => status)

describe('requests that Node by itself answers badly, or not at all', () => {
  const isWhole = ({ head, body, status }: RawAnswer, name: string): void => {
    const { error, message } = JSON.parse(body)
    expect(error).toBe(name)
    expect(message).toMatch(/^[A-Z].*\.$/)
    expect(head).toMatch(/^HTTP\/1\.1 \d{3} [A-Z]/)
    expect(head).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT(?:\r|$)/i)
    expect(head).toMatch(/\r\nContent-Type: application\/json(?:\r|$)/i)
    expect(head).toMatch(new RegExp(`\\r\\nContent-Length: ${Buffer.byteLength(body)}(?:\\r|$)`, 'i'))
    expect(head).toMatch(/\r\nX-Content-Type-Options: nosniff(?:\r|$)/i)
    expect(head).toMatch(/\r\nX-Request-Id: [\w.-]{1,64}(?:\r|$)/i)
    if (status !== 401) expect(head).toMatch(/\r\nConnection: close(?:\r|$)/i)
  }

  it('are answered after the requests before them, also where a tunnel is asked for', async () => {
    const tunnel = 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n'
    const body = 'email=before%40example.com'
    const head = `Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`
    const subscribe = `POST /subscribe HTTP/1.1\r\n${head}\r\n\r\n${body}`
    for (const [requests, count] of [
      [subscribe, 1],
      [subscribe + 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(7), 8],
    ] as const) {
      expect(await statusesOf(requests + tunnel)).toEqual([...Array(count).fill(200), 405])
    }
  })

  it('leave no connection behind where a tunnel was asked for', async () => {
    const closed = new Promise<void>((resolve) => {
      server.server.once('connection', (socket) => socket.once('close', () => resolve()))
    })
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.resume().on('error', () => socket.destroy())
    socket.end(`CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n${'of the tunnel'.repeat(1_000)}`)
    await closed
  })

  it.each([
    ['no Host', 'GET /livez HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n'],
    ['a malformed Host', 'GET /livez HTTP/1.1\r\nHost: a b/c\r\n\r\n'],
    ['a Host with a user', 'GET /livez HTTP/1.0\r\nHost: user@x\r\n\r\n'],
    ['two types', 'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nCONTENT-TYPE: a/b\r\n\r\n'],
    ['two credentials', 'GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n'],
    ...['HTTP/2.0', 'HTTP/0.9', 'HTTP/3.7'].map(
      (version) => [version, `GET /livez ${version}\r\nHost: x\r\n\r\n`] as const,
    ),
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['chunks in HTTP/1.0', 'POST /subscribe HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['no method', '/livez HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method that is no token', 'F@O / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown method of no HTTP', 'FOO / HTTQ/1.1\r\nHost: x\r\n\r\n'],
    ['a known method of no HTTP', 'GET / HTTQ/1.1\r\nHost: x\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])],
    [
      'a length and chunks',
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['a length that is not a number', 'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['another coding than chunked', 'POST /subscribe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n'],
    ...['gzip, chunked', 'identity, chunked', 'chunked, chunked', ', chunked', 'deflate,chunked', 'xchunked'].map(
      (coding) =>
        [
          `the transfer coding ${coding}`,
          `POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
        ] as const,
    ),
    [
      'two fields of transfer codings',
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a space before the colon', 'GET /livez HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a folded field', 'GET /livez HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n'],
    ['a bare line feed', 'GET /livez HTTP/1.1\nHost: x\n\n'],
    ['NUL in a field', 'GET /livez HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['no target', 'GET HTTP/1.1\r\nHost: x\r\n\r\n'],
    ...[
      ...['*', '/livez#x', 'ftp://x/livez', '/users/%zz', '/users/%ff', '/nowhere%', 'http:///livez'],
      ...['https://:80/livez', 'http://?x', 'http://user@x/livez', 'http://user:secret@x/livez', 'http://@x/livez'],
      ...['http://x:80:90/livez', 'http://x:port/livez', 'http://x\\y/livez', 'http://[::1/livez', 'http://[zz]/livez'],
      ...['http://%zz/livez', 'http:/livez', 'http:livez'],
    ].map((target) => [`the target ${target}`, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`] as const),
    ['TRACE of a user', 'TRACE http://user:secret@x/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['TRACE with a body', 'TRACE /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx'],
    ['TRACE with chunks', 'TRACE /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [
      'a broken chunk',
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
  ] as const)('%s: a JSON error, and the connection closes', async (_, bytes) => {
    const [answer, ...others] = answersIn(await server.raw(bytes))
    expect([answer?.status, others]).toEqual([400, []])
    isWhole(answer!, 'MalformedRequest')
  })

  it.each<[status: number, name: string, bytes: string]>([
    ...['FOO', 'GETX', 'get', 'M-FOO', 'ANNOUNCE', 'x!#$%'].map((method): [number, string, string] => [
      405,
      'MethodNotAllowed',
      `${method} /livez HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]),
    [405, 'MethodNotAllowed', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
    [417, 'ExpectationFailed', 'POST /subscribe HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n'],
    [431, 'HeadersTooLarge', `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    [431, 'HeadersTooLarge', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('are %i %s, and the connection closes: %.60j', async (status, name, bytes) => {
    const [answer, ...others] = answersIn(await server.raw(bytes))
    expect([answer?.status, others]).toEqual([status, []])
    isWhole(answer!, name)
  })

  it('never serves what follows a broken request', async () => {
    const smuggled = 'DELETE /users/1 HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const bytes of [
      `GET /livez HTTP/1.1\r\n\r\n${smuggled}`,
      `POST /subscribe HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `TRACE / HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      `POST /subscribe HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      `POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n${smuggled}`,
    ])
      expect(await statusesOf(bytes)).not.toContain(401)
  })

  it('lists the known methods for an unknown one, at any position', async () => {
    const unknown = 'FOO /livez HTTP/1.1\r\nHost: x\r\n\r\n'
    const piped = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const bytes of [unknown, `\r\n${unknown}`, piped + unknown]) {
      const answer = answersIn(await server.raw(bytes)).at(-1)!
      isWhole(answer, 'MethodNotAllowed')
      expect(answer.head).toContain('\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE\r\n')
    }
    const [inBytes] = answersIn(await server.raw([...unknown]))
    expect([inBytes?.status, JSON.parse(inBytes!.body).message]).toEqual([
      400,
      'This does not begin as an HTTP/1.1 request, or its method is not known. Correct it and send it again.',
    ])
  })

  it('answers pipelined requests in their order', async () => {
    const token = await server.token('x')
    const first = `GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    expect(await statusesOf(`${first}GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n${ok}`)).toEqual([403, 404, 200])
  })

  it('begins a request only once a pipelined one that changes something is answered', async () => {
    const token = await server.token('x', 'admin')
    const user = (request: string, body = ''): string =>
      `${request} /users/eve HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const put = user('PUT', '{"email":"eve@example.com","name":"Eve","roles":[]}')
    const requests = put + user('GET') + user('DELETE') + user('GET') + ok
    expect(await statusesOf(requests)).toEqual([201, 200, 204, 410, 200])
  })

  it('accepts a request that arrives byte by byte', async () => {
    expect(await statusesOf([...ok])).toEqual([200])
  })

  it('accepts a whole URL as the target, and uses its path', async () => {
    const urls = ['http://elsewhere/livez', 'HTTPS://x:1/livez?a=b', 'http://[::1]:/livez', 'http://a%C3%BC/livez']
    for (const url of urls) expect(await statusesOf(ok.replace('/livez', url))).toEqual([200])
    for (const url of ['http://elsewhere', 'http://x?y'])
      expect(await statusesOf(ok.replace('/livez', url))).toEqual([404])
  })

  it('accepts every valid Host, also an empty one', async () => {
    for (const host of ['', 'x:8080', '127.0.0.1', '[::1]:80'])
      expect(await statusesOf(ok.replace('Host: x', `Host: ${host}`))).toEqual([200])
  })

  it('accepts chunked in any case', async () => {
    for (const coding of ['chunked', 'Chunked', 'CHUNKED', '  chunked']) {
      const head = 'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n'
      const body = '{"email":"a@example.com"}'
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      const [answer] = answersIn(await server.raw(`${head}Transfer-Encoding: ${coding}\r\n\r\n${chunk}`))
      expect([coding, answer?.status]).toEqual([coding, 200])
    }
  })

  it('accepts HTTP/1.0, with and without a Host', async () => {
    for (const host of ['', 'Host: x\r\n'])
      expect(await statusesOf(`GET /livez HTTP/1.0\r\n${host}\r\n`)).toEqual([200])
  })

  it('accepts header fields with the names of prototype properties', async () => {
    const headers = '__proto__: x\r\nconstructor: x\r\nhasOwnProperty: x\r\n'
    expect(await statusesOf(ok.replace('\r\n\r\n', `\r\n${headers}\r\n`))).toEqual([200])
  })

  it('sends 100 Continue when it wants the body, and closes the connection when it does not', async () => {
    const form = 'email=a@example.com'
    const wanted =
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
      `Content-Length: ${form.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`
    expect(await server.raw([wanted, form])).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    for (const unwanted of [
      'PUT /users/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n',
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n',
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999\r\nExpect: 100-continue\r\n\r\n',
    ]) {
      const answer = await server.raw(unwanted)
      expect(answer).toMatch(/^HTTP\/1\.1 4/)
      expect(answer).toMatch(/\r\nConnection: close\r\n/i)
    }
  })

  it('sends no 100 Continue in HTTP/1.0, which does not have it', async () => {
    const form = 'email=a@example.com'
    const head =
      'POST /subscribe HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
      `Content-Length: ${form.length}\r\nExpect: 100-continue\r\n\r\n`
    expect(await server.raw(head + form)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('survives clients that go away at every point', async () => {
    const whole =
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 50\r\n\r\n{"em'
    for (let length = 1; length <= whole.length; length += 7)
      await new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(whole.slice(0, length), () => socket.resetAndDestroy())
        })
        socket.once('close', () => resolve())
        socket.on('error', () => socket.destroy())
      })
    expect((await server.request('GET', '/livez')).status).toBe(200)
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
