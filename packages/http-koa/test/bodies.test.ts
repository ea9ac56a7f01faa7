import { once } from 'node:events'
import { Agent } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { sharedServer } from './support/open-server.ts'
import { answersIn, openSocket } from './support/raw.ts'
import { vectors } from './support/vectors.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const server = await sharedServer()

describe('bodies', () => {
  const send = (type: string | undefined, body: string | Buffer, headers: Record<string, string> = {}) =>
    server.request('POST', '/subscribe', { body, headers: { ...(type && { 'Content-Type': type }), ...headers } })
  const outcome = async (answer: ReturnType<typeof send>): Promise<string> => {
    const { status, body } = await answer
    return status === 200 ? '200' : `${status} ${JSON.parse(body).error}`
  }

  it.each([
    [FORM, '200'],
    [`${FORM};charset=utf-8`, '200'],
    [`${FORM} ; charset=UTF-8`, '200'],
    [`${FORM}; charset="utf-8"`, '200'],
    ['APPLICATION/X-WWW-Form-URLENCODED', '200'],
    [`${FORM};boundary=x`, '200'],
    [`${FORM};`, '200'],
    [`${FORM};charset=iso-8859-1`, '415 UnsupportedMediaType'],
    [`${FORM};charset=utf-8;charset=latin1`, '415 UnsupportedMediaType'],
    [`${FORM};of="a;charset=latin1\\";charset=latin1"`, '200'],
    [`${FORM};of="a\\";b";charset=latin1`, '415 UnsupportedMediaType'],
    [`${FORM};of="a;b";charset="utf-8`, '415 UnsupportedMediaType'],
    [`${FORM};charset`, '415 UnsupportedMediaType'],
    ['text/plain', '415 UnsupportedMediaType'],
    ['multipart/form-data; boundary=x', '415 UnsupportedMediaType'],
    ['application/vnd.api+json', '415 UnsupportedMediaType'],
    ['application/xml', '415 UnsupportedMediaType'],
    [`; ${FORM}`, '415 UnsupportedMediaType'],
    ['nonsense', '415 UnsupportedMediaType'],
    ['constructor', '415 UnsupportedMediaType'],
    ['', '415 UnsupportedMediaType'],
    [undefined, '415 UnsupportedMediaType'],
  ])('with the type %j are answered %s', async (type, expected) => {
    expect(await outcome(send(type, 'email=a@example.com', type === '' ? { 'Content-Type': '' } : {}))).toBe(expected)
  })

  it.each([
    ['application/json', '200'],
    ['application/json; charset=utf-8', '200'],
    ['Application/JSON;charset=UTF-8', '200'],
    ['application/json; charset=utf-16', '415 UnsupportedMediaType'],
  ])('of JSON with the type %j are answered %s', async (type, expected) => {
    expect(await outcome(send(type, '{"email":"a@example.com"}'))).toBe(expected)
  })

  it.each([
    ['no body and no type', 'Host: x\r\nContent-Length: 0\r\n', 422],
    ['neither length nor type', 'Host: x\r\n', 422],
    ['an empty form', `Host: x\r\nContent-Type: ${FORM}\r\nContent-Length: 0\r\n`, 422],
    ['an empty form without a length', `Host: x\r\nContent-Type: ${FORM}\r\n`, 422],
    ['an empty form in chunks', `Host: x\r\nContent-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\n`, 422],
    ['empty JSON', `Host: x\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: 0\r\n`, 400],
    ['an empty body of another type', 'Host: x\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n', 415],
  ])('that are %s get the documented status', async (_, headers, status) => {
    const end = headers.includes('chunked') ? '0\r\n\r\n' : ''
    const stream = await server.raw(`POST /subscribe HTTP/1.1\r\n${headers}Connection: close\r\n\r\n${end}`)
    const [answer] = answersIn(stream)
    expect(answer?.status).toBe(status)
    if (status === 422)
      expect(JSON.parse(answer!.body)).toEqual({
        error: 'InvalidInput',
        message: "Correct 'email' and send it again.",
        details: [{ field: 'email', message: 'Give this field.' }],
      })
  })

  it('may have 16 KiB, and not one byte more', async () => {
    const start = 'email=a@example.com&x='
    for (const [length, status] of [
      [16384, '200'],
      [16385, '413 PayloadTooLarge'],
    ] as const) {
      const body = start + 'x'.repeat(length - start.length)
      expect(await outcome(send(FORM, body))).toBe(status)
      // Without compression, it makes them longer.
      for (const level of [0, 9])
        expect(await outcome(send(FORM, gzipSync(body, { level }), { 'Content-Encoding': 'gzip' }))).toBe(status)
      const json = `{"email":"a@example.com","x":"${'x'.repeat(length - 32)}"}`
      expect([json.length, await outcome(send(JSON_TYPE, json))]).toEqual([length, status])
    }
  })

  it('are also measured before decompression, so that many empty streams are refused', async () => {
    const nothing = Buffer.concat(Array.from({ length: 5_000 }, () => gzipSync('')))
    const bytes = Buffer.concat([gzipSync('email=a@example.com'), nothing])
    expect(await outcome(send(FORM, bytes, { 'Content-Encoding': 'gzip' }))).toBe('413 PayloadTooLarge')
    const head = `POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Encoding: gzip\r\nConnection: close\r\n`
    const size = `Transfer-Encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n`
    const stream = await server.raw(Buffer.concat([Buffer.from(head + size), bytes, Buffer.from('\r\n0\r\n\r\n')]))
    expect(answersIn(stream).map(({ status }) => status)).toEqual([413])
  })

  it('are measured after decompression, so that a bomb does no harm', async () => {
    for (const bomb of [gzipSync(Buffer.alloc(50_000_000)), gzipSync(gzipSync(Buffer.alloc(1_000_000)))])
      expect(await outcome(send(FORM, bomb, { 'Content-Encoding': 'gzip' }))).toMatch(/^(?:413|422)/)
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(20_000))],
    ['deflate', deflateSync(Buffer.alloc(20_000))],
  ] as const)('that are too long, and broken beyond the limit, do not stop the service: %s', async (coding, bomb) => {
    const broken = Buffer.from(bomb)
    for (const at of [-1, -5, -9]) broken.set([(bomb.at(at) ?? 0) ^ 0xff], bomb.length + at)
    for (let round = 0; round < 20; round++)
      expect(await outcome(send(FORM, broken, { 'Content-Encoding': coding }))).toMatch(/^4(?:13|00) /)
    expect(await outcome(send(FORM, 'email=a@example.com'))).toBe('200')
  })

  it('may be compressed with a supported coding, in any case', async () => {
    const body = 'email=a@example.com'
    for (const [coding, bytes] of [
      ['gzip', gzipSync(body)],
      ['GZip', gzipSync(body)],
      ['deflate', deflateSync(body)],
      ['identity', Buffer.from(body)],
    ] as const)
      expect([coding, await outcome(send(FORM, bytes, { 'Content-Encoding': coding }))]).toEqual([coding, '200'])
  })

  it('that are not compressed as declared, or broke off, are 400', async () => {
    const whole = gzipSync('email=a@example.com')
    for (const [coding, bytes] of [
      ['gzip', Buffer.from('email=a@example.com')],
      ['gzip', whole.subarray(0, whole.length - 9)],
      ['deflate', Buffer.from([1, 2, 3])],
    ] as const)
      expect(await outcome(send(FORM, bytes, { 'Content-Encoding': coding }))).toBe('400 MalformedRequest')
  })

  it.each([
    ['incomplete JSON', '{"email":'],
    ['an array', '[{"email":"a@example.com"}]'],
    ['a text', '"a@example.com"'],
    ['a number', '1'],
    ['null', 'null'],
    ['two objects', '{}{}'],
    ['a comment', '{/*x*/}'],
    ['16,000 brackets', '['.repeat(16_000)],
    ['bytes that are not UTF-8', Buffer.from('{"email":"a\xff@example.com"}', 'latin1')],
    ['half a character', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xf0, 0x9f, 0x98]), Buffer.from('"}')])],
    ['UTF-16', Buffer.from('{"email":"a@example.com"}', 'utf16le')],
  ])('declared as JSON that are %s are 400', async (_, body) => {
    expect(await outcome(send(JSON_TYPE, body))).toBe('400 MalformedRequest')
  })

  it.each([
    ['a number', '{"email":1}'],
    ['a list', '{"email":["a@example.com"]}'],
    ['a deeply nested object', `{"email":${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}}`],
    ['null', '{"email":null}'],
    ['given twice', '{"email":"a@example.com","email":"a@example.com"}'],
    ['given twice, once with an escape', '{"email":"a@example.com","\\u0065mail":"a@example.com"}'],
  ])('with a known field that is %s are 422', async (_, body) => {
    const answer = await send(JSON_TYPE, body)
    expect([answer.status, JSON.parse(answer.body).details[0].field]).toEqual([422, 'email'])
  })

  it('with a known field twice are 422 as a form, too, and with an unknown one are accepted', async () => {
    const { status, body } = await send(FORM, 'email=a@example.com&name=a&name=b')
    const details = [{ field: 'name', message: 'Give this field once.' }]
    expect([status, JSON.parse(body).details]).toEqual([422, details])
    expect(await outcome(send(FORM, 'email=a@example.com&x=1&x=2&y[z]=3&email.x=4&name[]=5'))).toBe('200')
    expect(await outcome(send(JSON_TYPE, '{"email":"a@example.com","x":{"y":[]},"x":1}'))).toBe('200')
  })

  it('with null for an optional field are accepted', async () => {
    const body = '{"email":"a@example.com","locale":null,"feed":null,"name":null}'
    expect(await outcome(send(JSON_TYPE, body))).toBe('200')
  })

  it('cannot reach a prototype', async () => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
      expect(await outcome(send(FORM, `email=a@example.com&${name}=polluted&${name}[polluted]=1`))).toBe('200')
      const json = `{"email":"a@example.com","${name}":{"polluted":"yes","name":"x"}}`
      expect(await outcome(send(JSON_TYPE, json))).toBe('200')
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(await outcome(send(JSON_TYPE, '{"__proto__":{"email":"a@example.com"}}'))).toBe('422 InvalidInput')
  })

  it('have invalid UTF-8 in a form replaced, as the URL standard requires', async () => {
    const { status, body } = await send(FORM, Buffer.from('email=a@example.com&name=\xff%FE', 'latin1'))
    expect([status, JSON.parse(body).subscription.name]).toEqual([200, '\ufffd\ufffd'])
  })

  it('echo an address as submitted, with what is taken off its ends, whatever is known of it', async () => {
    const email = '\u202a\ufeff Pasted@Example.com\u2060\r\n'
    const answers = []
    for (const more of [{}, {}, { locale: '??' }, { website: 'x' }])
      for (const kind of ['form', 'json'])
        answers.push(await server.request('POST', '/subscribe', { [kind]: { email, name: 'P', ...more } }))
    expect(JSON.parse(answers[0]?.body ?? '').subscription).toMatchObject({ name: 'P', email })
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
  })

  it('are decoded once', async () => {
    const { body } = await send(FORM, 'email=a@example.com&name=%2541+%2B')
    expect(JSON.parse(body).subscription.name).toBe('%41 +')
  })

  it('return every naughty name unchanged, or report its problem, as a form and as JSON', async () => {
    const names = [...vectors<string>('blns.json'), 'O’Neil', '𝒥osé 🙃', "Robert'); DROP TABLE users;--", '{{7*7}}']
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    await Promise.all(
      names.map(async (name, i) => {
        const fields = { email: `blns${i}@example.com`, name }
        const form = await server.request('POST', '/subscribe', { form: fields, agent })
        const json = await server.request('POST', '/subscribe', { json: fields, agent })
        expect([name, json.status, json.body]).toEqual([name, form.status, form.body])
        if (form.status === 200) expect(JSON.parse(form.body).subscription.name).toBe(name)
        else expect([name, form.status]).toEqual([name, 422])
      }),
    )
    agent.destroy()
  })

  it('never get a 5xx, whatever their bytes, type and coding', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(FORM, JSON_TYPE, `${JSON_TYPE};charset=utf-8`, 'text/plain'),
        fc.constantFrom('identity', 'gzip', 'br'),
        async (bytes, type, coding) => {
          const headers = { 'Content-Type': type, 'Content-Encoding': coding }
          const answer = await server.request('POST', '/subscribe', { body: Buffer.from(bytes), headers, agent })
          expect(answer.status).toBeLessThan(500)
          expect(Object.keys(JSON.parse(answer.body)).slice(0, 2)).toEqual(
            answer.status === 200 ? ['message', 'subscription'] : ['error', 'message'],
          )
        },
      ),
      { numRuns: 200 },
    )
    agent.destroy()
  })

  it('that are refused early leave the connection usable, and their content is never taken for a request', async () => {
    const smuggled = 'DELETE /users/1 HTTP/1.1\r\nHost: x\r\n\r\n'
    const next = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const large = smuggled + 'x'.repeat(100_000)
    for (const [request, status] of [
      [`PUT /users/1 HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\n`, 401],
      ['POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n', 415],
      [`POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n`, 413],
      ['POST /unsubscribe/1.2 HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data;boundary=x\r\n', 404],
      ['GET /livez HTTP/1.1\r\nHost: x\r\n', 200],
      ['DELETE /users/1 HTTP/1.1\r\nHost: x\r\n', 401],
      ['OPTIONS /users HTTP/1.1\r\nHost: x\r\n', 204],
      ['POST /nowhere HTTP/1.1\r\nHost: x\r\n', 404],
    ] as const) {
      const counted = await server.raw(`${request}Content-Length: ${large.length}\r\n\r\n${large}${next}`)
      expect([request, answersIn(counted).map((answer) => answer.status)]).toEqual([request, [status, 200]])
      const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
      const chunked = await server.raw(`${request}Transfer-Encoding: chunked\r\n\r\n${chunk}${next}`)
      expect([request, answersIn(chunked).map((answer) => answer.status)]).toEqual([request, [status, 200]])
    }
  })

  it('that are missing leave no problems behind for the next request without one', async () => {
    const admin = await server.token('root', 'admin')
    expect(await outcome(send(FORM, ''))).toBe('422 InvalidInput')
    const put = await server.request('PUT', '/feeds/bodiless', { token: admin })
    expect([put.status, put.body]).toEqual([201, expect.stringContaining('"name":"bodiless"')])
    const again = await send(FORM, '')
    expect(JSON.parse(again.body).details).toEqual([{ field: 'email', message: 'Give this field.' }])
  })

  it.each([
    ['plain', ''],
    ['compressed', 'Content-Encoding: gzip\r\n'],
  ])('are given up when their client goes away halfway: %s', async (_, coding) => {
    const over = () => server.log.lines.filter(({ message }) => message === 'answered').length
    const before = over()
    const socket = await openSocket(server.port)
    socket.write(
      `POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n${coding}Content-Length: 20\r\n\r\nemail=a@`,
    )
    await once(server.server, 'request')
    socket.resetAndDestroy()
    await vi.waitFor(() => expect(over()).toBe(before + 1))
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('that are partial, as PUT with Content-Range, are 400', async () => {
    const token = await server.token('root', 'admin')
    const headers = { 'Content-Range': 'bytes 0-1/10' }
    const answer = await server.request('PUT', '/users/1', { token, json: {}, headers })
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'MalformedRequest'])
  })
})
