import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import type { Input } from './rules.ts'
import { anyText, GUARDED, mostly, mutated, mutatedText, valueNamed } from './values.ts'

/** What inputs may use of the running service. */
export interface Surroundings {
  readonly document: unknown
  readonly tokens: Readonly<Record<'admin' | 'auditor' | 'nobody', string>>
  /** Access tokens that must not be accepted. */
  readonly forged: readonly string[]
  /** Of links that were mailed: `<purpose>/<token>`. */
  readonly links: readonly string[]
  readonly subscriptions: readonly string[]
  /** Bytes that were a finding once. */
  readonly seeds: readonly Buffer[]
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
/** Header fields with a meaning to the service, a proxy, or Node; and values that some parser might interpret. */
const HEADER_NAMES =
  `Accept Accept-Encoding Accept-Language Access-Control-Request-Headers Access-Control-Request-Method Authorization
  Content-Disposition Content-Encoding Content-Language Content-Location Content-Range Content-Type Cookie Date Forwarded
  Host If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Max-Forwards Origin Prefer Range Referer
  User-Agent Via X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-HTTP-Method-Override X-Reason X-Request-Id
  __proto__ constructor`.split(/\s+/)
const HEADER_VALUES =
  `*|*/*|text/html|application/json|application/json; charset=utf-8|application/json; charset=utf-16|text/csv|br|zstd
  |application/x-www-form-urlencoded; charset=iso-8859-1|multipart/form-data; boundary=x|gzip, gzip|identity|"a"|W/"a"
  |"a", "b", W/"c"|"unclosed|Tue, 02 Jul 2024 12:56:49 GMT|Tue, 32 Foo 9999 99:99:99 GMT|bytes=0-0,1-1,2-2|a:b:c|[::1]:80
  |de-DE, en;q=0.5, *;q=0.1|de;q=abc|127.0.0.1, ::ffff:10.0.0.1, unknown|for="[::1]";proto=https|null|DELETE
  |https://news.example.com|${'a-'.repeat(200)}|${', '.repeat(300)}`.split(/\n?\s*\|/)
// Fields that decide where a request ends: only streams use them.
const FRAMING =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

interface Draft {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Buffer | undefined
}

/** The bytes of UTF-8 as Latin-1, without line breaks. */
const inOneLine = (text: string): string =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\r\n]/g, '')

/** Bytes of a request whose end is certain, whatever else is wrong. */
const bytesOf = ({ method, target, headers, body }: Draft): Buffer => {
  const fields = headers.map(([name, value]) => [inOneLine(name), inOneLine(value)] as const)
  const lines = [
    `${method} ${inOneLine(target)} HTTP/1.1`,
    ...fields.filter(([name]) => !FRAMING.test(name.trim())).map((field) => field.join(': ')),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

const requestOf = (kind: string, draft: Arbitrary<Draft>, expected?: readonly number[]): Arbitrary<Input> =>
  fc.tuple(draft, fc.nat()).map(([{ headers, ...rest }, n]) => {
    const id = `fuzz-${n.toString(36)}`
    const bytes = bytesOf({ ...rest, headers: [['Host', 'localhost'], ...headers, ['X-Request-Id', id]] })
    const requestId = headers.some(([name]) => /request-id/i.test(name)) ? undefined : id
    return { ...{ kind, bytes, way: 'whole', ending: 'half-close', isRequest: true }, requestId, expected }
  })

const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const

/** A text for a path or a query, mostly well escaped. */
const escaped = (text: Arbitrary<string>): Arbitrary<string> =>
  mostly(
    text.map((it) => encodeURIComponent(it.toWellFormed())),
    text.map((it) => it.replaceAll(' ', '+')),
  )

interface Operation {
  readonly method: string
  readonly path: string
  /** Names in its query, and in its body. */
  readonly query: readonly string[]
  readonly fields: readonly string[]
  readonly required: readonly string[]
  readonly isImport: boolean
}

const COLUMNS = 'email name feed locale status created_at confirmed_at ended_at consent id roles cause at'.split(' ')

/** What the service says of itself: as much as is needed to reach its code. That it is true is for Schemathesis. */
const operationsIn = (document: unknown): readonly Operation[] => {
  type Any = Readonly<Record<string, unknown>>
  const of = (value: unknown): Any => (typeof value === 'object' && value !== null ? (value as Any) : {})
  const resolved = (value: unknown): Any => {
    const { $ref } = of(value)
    if (typeof $ref !== 'string') return of(value)
    return resolved(
      $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => of(at)[key], document),
    )
  }
  const fieldsOf = (schema: unknown): string[] => {
    const { properties, allOf, oneOf, anyOf } = resolved(schema)
    return [...Object.keys(of(properties)), ...[allOf, oneOf, anyOf].flat().filter(Boolean).flatMap(fieldsOf)]
  }
  return Object.entries(of(of(document).paths)).flatMap(([path, methods]) =>
    Object.entries(of(methods)).flatMap(([method, operation]) => {
      const { parameters = [], requestBody } = of(operation)
      const named = (parameters as readonly unknown[]).map(resolved).filter((it) => it.in === 'query')
      const isImport = path.endsWith('/import')
      const { schema } = of(of(of(resolved(requestBody).content)['application/json']))
      const fields = isImport ? COLUMNS : fieldsOf(schema)
      const required = isImport ? ['email'] : ((resolved(schema).required ?? []) as readonly string[])
      return [
        { method: method.toUpperCase(), path, query: named.map(({ name }) => `${name}`), fields, required, isImport },
      ]
    }),
  )
}

const COMPRESSIONS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

interface Body {
  readonly bytes: Buffer
  readonly type: string
  readonly coding?: keyof typeof COMPRESSIONS
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const formOf = (fields: object): string => {
  const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : `${value}`)
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString()
}

/** Of these names; some missing, some with a value of another type. */
const written = ({ fields, required, isImport }: Operation): Arbitrary<Body> => {
  const value = (name: string) => mostly(valueNamed(name), isImport ? anyText : fc.jsonValue(), 20)
  const few = fc.subarray([...fields], { maxLength: Math.min(fields.length, isImport ? 9 : 4) })
  // What is required may go missing as well, but not each time.
  const record = fc.tuple(few, fc.nat(7)).chain(([some, n]) => {
    const names = new Set([...(n === 0 ? [] : required), ...some])
    return fc.record(Object.fromEntries([...names].map((it) => [it, value(it)])))
  })
  const as = (type: string) => (text: string) => ({ type, bytes: Buffer.from(text) })
  if (!isImport)
    return fc.oneof(
      { arbitrary: record.map((it) => JSON.stringify(it, listed)).map(as('application/json')), weight: 10 },
      { arbitrary: record.map(formOf).map(as('application/x-www-form-urlencoded')), weight: 10 },
      {
        arbitrary: fc
          .nat(8_000)
          .map((depth) => '['.repeat(depth))
          .map(as('application/json')),
        weight: 1,
      },
    )
  const rows = fc.array(record, { minLength: 1, maxLength: 8 })
  const csvOf = (all: readonly Readonly<Record<string, unknown>>[]): string =>
    [fields, ...all.map((row) => fields.map((name) => quoted(`${row[name] ?? ''}`)))].join('\n')
  const ndjsonOf = (all: readonly object[]): string => all.map((row) => JSON.stringify(row)).join('\r\n')
  return fc.oneof(rows.map(csvOf).map(as('text/csv')), rows.map(ndjsonOf).map(as('application/x-ndjson')))
}

const LISTS = /^(?:feeds|roles|types|items|ids|addresses|return_urls)$/
const listed = (name: string, value: unknown): unknown =>
  LISTS.test(name) && typeof value === 'string' ? value.split(' ').filter(Boolean) : value

/** Sometimes broken, sometimes compressed, sometimes both. */
const encoded = (body: Arbitrary<Body>): Arbitrary<Body> =>
  fc.tuple(body, fc.nat(11)).chain(([one, how]) => {
    const broken = (bytes: Buffer) => mutated(fc.constant(bytes)).map((it) => ({ ...one, bytes: it }))
    if (how > 4) return fc.constant(one)
    if (how > 1) return broken(one.bytes)
    return fc.constantFrom('gzip' as const, 'deflate' as const, 'br' as const).chain((coding) => {
      const bytes = COMPRESSIONS[coding](one.bytes.length % 7 === 0 ? Buffer.alloc(200_000, 97) : one.bytes)
      return (how === 0 ? fc.constant({ ...one, bytes }) : broken(bytes)).map((it) => ({ ...it, coding }))
    })
  })

/** Requests to every path with any method, query, header fields and body, by callers of every kind; mostly one of them odd. */
export const requests = ({ document, tokens, links, subscriptions }: Surroundings): Arbitrary<Input> => {
  const inPath = (name: string): Arbitrary<string> => {
    if (name === 'token') return fc.constantFrom(...links).map((link) => link.split('/')[1] ?? '')
    if (name === 'subscriptionId') return escaped(mostly(fc.constantFrom(...subscriptions), anyText))
    return escaped(valueNamed(name === 'name' ? 'feed' : name))
  }
  const targetOf = ({ path, query }: Operation): Arbitrary<string> => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const pair = fc
      .constantFrom(...query, 'x')
      .chain((name) => escaped(valueNamed(name)).map((value) => `${name}=${value}`))
    const pairs = mostly(fc.constant([]), fc.array(pair, { minLength: 1, maxLength: 4 }), 1)
    const target = fc.tuple(fc.tuple(...names.map(inPath)), pairs).map(([values, all]) => {
      const filled = path.replace(/\{\w+\}/g, () => values.shift() ?? '')
      return all.length === 0 ? filled : `${filled}?${all.join('&')}`
    })
    const odd = fc.oneof(
      mutatedText(target),
      target.map((it) => `http://localhost:8080${it}`),
    )
    return mostly(target, odd, 8)
  }
  const field = fc.tuple(
    mostly(fc.constantFrom(...HEADER_NAMES), anyText, 15),
    fc.oneof(fc.constantFrom(...HEADER_VALUES), anyText),
  )
  const fields = fc.oneof(
    { arbitrary: fc.constant([]), weight: 60 },
    { arbitrary: fc.array(field, { minLength: 1, maxLength: 6 }), weight: 25 },
    { arbitrary: fc.array(field, { minLength: 50, maxLength: 300 }), weight: 1 },
  )
  const caller = fc.constantFrom(...Array(6).fill(tokens.admin), tokens.auditor, tokens.nobody, undefined)
  // What takes a body has the most to get wrong.
  const operations = operationsIn(document).flatMap((one) => (one.fields.length > 0 ? [one, one, one, one] : [one]))
  return fc.constantFrom(...operations).chain((operation) =>
    requestOf(
      operation.isImport ? 'import' : 'request',
      fc
        .record({
          method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS), 8),
          target: targetOf(operation),
          more: fields,
          token: caller,
          accept: fc.constantFrom('*/*', 'text/html', 'application/json'),
          content: operation.fields.length === 0 ? fc.constant(undefined) : encoded(written(operation)),
        })
        .map(({ method, target, more, token, accept, content }) => ({
          ...{ method, target, body: content?.bytes },
          headers: [
            ...more,
            ['Accept', accept] as const,
            ...(token === undefined ? [] : [bearer(token)]),
            ...(content === undefined ? [] : [['Content-Type', content.type] as const]),
            ...(content?.coding === undefined ? [] : [['Content-Encoding', content.coding] as const]),
          ],
        })),
    ),
  )
}

const PURPOSES = ['confirm', 'refuse', 'unsubscribe', 'preferences']

/** Links that differ a little from mailed ones. */
const badLinks = ({ links }: Surroundings): Arbitrary<Input> => {
  const target = fc.constantFrom(...links).chain((link) => {
    const [purpose = '', token = ''] = link.split('/')
    const other = fc.oneof(
      mutatedText(fc.constant(token)),
      anyText.map((text) => `${token.slice(0, token.lastIndexOf('.') + 1)}${text}`),
      fc.constantFrom(token.toUpperCase(), token.slice(1), `${token}0`),
    )
    const changed = other.map((text) => (text === token ? '0' : encodeURIComponent(text.toWellFormed())))
    const misused = fc.constantFrom(...PURPOSES.filter((it) => it !== purpose)).map((it) => `/${it}/${token}`)
    return mostly(
      changed.map((text) => `/${purpose}/${text}`),
      misused,
      3,
    )
  })
  const draft = fc.tuple(fc.constantFrom('GET', 'HEAD', 'POST'), target, fc.constantFrom('text/html', '*/*'))
  return requestOf(
    'link',
    draft.map(([method, at, accept]) => ({
      ...{ method, target: at, body: method === 'POST' ? Buffer.from('action=erase') : undefined },
      headers: [
        ['Accept', accept],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
    })),
    [400, 404, 405, 431],
  )
}

/** What only a valid token may do. */
const AIMS = [
  ...[`DELETE /users/${GUARDED}-1`, `DELETE /feeds/${GUARDED}?subscriptions=erase`, `PUT /users/${GUARDED}-2`],
  ...[
    `PUT /feeds/${GUARDED}`,
    'GET /users',
    `GET /users/${GUARDED}-3/export`,
    'GET /audit',
    'POST /subscriptions/import',
  ],
]

const badTokens = ({ tokens: { admin }, forged }: Surroundings): Arbitrary<Input> => {
  const broken = mutated(fc.constant(Buffer.from(admin)), 2).map((bytes) => bytes.toString('latin1'))
  const long = fc.nat(9_000).map((length) => '.'.repeat(length))
  const draft = fc.tuple(fc.constantFrom(...AIMS), fc.oneof(broken, broken, fc.constantFrom(...forged), long, anyText))
  return requestOf(
    'token',
    draft.map(([aim, token]) => {
      const [method = '', target = ''] = aim.split(' ')
      return {
        ...{ method, target },
        // What is only taken off on the way leaves a good one.
        headers: [bearer(inOneLine(token).trim() === admin ? 'none' : token), ['Content-Type', 'application/json']],
        body: method === 'PUT' ? Buffer.from('{"email":"changed@example.com","name":"","roles":[]}') : undefined,
      }
    }),
    [400, 401, 431],
  )
}

/** Fields that decide where a request ends, valid or not. */
const FRAMINGS = [
  ...['0', '5', '+5', '5, 5', '99999999999999999999', '-1', '0x5'].map((length) => `Content-Length: ${length}`),
  ...['chunked', 'Chunked', 'gzip, chunked', 'chunked, identity', '\x0bchunked'].map(
    (it) => `Transfer-Encoding: ${it}`,
  ),
  ...[
    'Content-Length : 5',
    'Transfer-Encoding:\n chunked',
    'Connection: close',
    'Connection: keep-alive',
    'Connection: Upgrade',
  ],
  ...['Upgrade: h2c', 'Upgrade: websocket', 'Expect: 100-continue', 'Expect: 200-ok', 'Trailer: X-A', 'TE: trailers'],
  ...['Keep-Alive: timeout=5', 'Host: a\r\nHost: b'],
]
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.10', '']
const TARGETS = ['/subscribe', '/livez', '/users', '*', 'localhost:80', 'http://localhost/livez', '/x y']
const TEXTS = ['email=a%40example.com', '{"email":"a@example.com"}', '', 'GET /smuggled HTTP/1.1\r\n\r\n']
const SIZES = ['ffffffff', '0', '-1', '0x5', '5 ', '5;a=b', 'g']

const built: Arbitrary<Buffer> = fc
  .record({
    method: mostly(fc.constantFrom(...METHODS), fc.constantFrom('CONNECT', 'PRI', 'QUERY', 'get', 'M-SEARCH', '')),
    target: fc.constantFrom(...TARGETS),
    version: fc.constantFrom(...VERSIONS),
    host: mostly(fc.constant(['Host: localhost']), fc.constant([]), 8),
    framings: fc.array(fc.constantFrom(...FRAMINGS), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
    text: fc.constantFrom(...TEXTS),
    sizes: fc.array(mostly(fc.constant(undefined), fc.constantFrom(...SIZES)), { maxLength: 4 }),
    trailer: fc.constantFrom('', '', 'X-A: b\r\nHost: c\r\n'),
  })
  .map(({ method, target, version, host, framings, end, text, sizes, trailer }) => {
    const head = [
      `${method} ${target} ${version}`,
      ...host,
      'Content-Type: application/x-www-form-urlencoded',
      ...framings,
    ]
    const chunks = sizes.map((size) => `${size ?? text.length.toString(16)}\r\n${text}\r\n`)
    const body = chunks.length === 0 ? text : `${chunks.join('')}0\r\n${trailer}\r\n`
    return Buffer.from(`${head.join(end)}${end}${end}${body}`, 'latin1')
  })

/** Bytes that may not be HTTP; many nearly are, and some are several requests. */
const streams = (around: Surroundings): Arbitrary<Input> => {
  const piece = fc.oneof(
    built,
    built,
    requests(around).map(({ bytes }) => bytes),
    fc.constantFrom(...around.seeds),
  )
  const pieces = fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => Buffer.concat(all))
  const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes))
  return fc
    .record({
      bytes: mostly(fc.oneof(pieces, mutated(pieces)), noise, 40),
      way: fc.constantFrom('whole', 'whole', 'halves', 'bytes'),
      ending: mostly(fc.constant('half-close' as const), fc.constant('reset' as const), 12),
    })
    .map(({ bytes, way, ending }) => ({
      ...{ kind: 'stream', bytes, ending, isRequest: false, requestId: undefined, expected: undefined },
      way: way === 'bytes' && bytes.length > 600 ? 'whole' : way,
    }))
}

/** Any input, each kind with its share. */
export const anyInput = (around: Surroundings): Arbitrary<Input> =>
  fc.oneof(
    { arbitrary: requests(around), weight: 64 },
    { arbitrary: badLinks(around), weight: 8 },
    { arbitrary: badTokens(around), weight: 14 },
    { arbitrary: streams(around), weight: 14 },
  )
