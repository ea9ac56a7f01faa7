import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import type { Input } from './rules.ts'
import { anyText, GUARDED, mostly, mutated, valueNamed } from './values.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
}

/** The document of the service about itself, as far as inputs are made from it. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** What inputs may use of the running service. */
export interface Surroundings {
  readonly document: Document
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
const HEADER_VALUES = [
  ...[
    '*',
    '*/*',
    'text/html',
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
  ],
  ...[
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'multipart/form-data; boundary=x',
    'text/csv; header=absent',
  ],
  ...['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'identity', '"a"', 'W/"a"', '"a", "b", W/"c"', '"unclosed'],
  ...[
    'Tue, 02 Jul 2024 12:56:49 GMT',
    'Tue Jul  2 12:56:49 2024',
    'Tue, 32 Foo 9999 99:99:99 GMT',
    'bytes=0-0,1-1,2-2',
  ],
  ...['localhost', 'a:b:c', '[::1]:80', 'de-DE, en;q=0.5, *;q=0.1', 'de;q=abc', 'a-'.repeat(200), 'null', 'DELETE'],
  ...['127.0.0.1, ::ffff:10.0.0.1, unknown', 'for="[::1]";proto=https', 'https://news.example.com', ', '.repeat(300)],
]
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

const requestId = fc.nat().map((n) => `fuzz-${n.toString(36)}`)

const requestOf = (kind: string, draft: Arbitrary<Draft>, expected?: readonly number[]): Arbitrary<Input> =>
  fc.tuple(draft, requestId).map(([{ headers, ...rest }, id]) => {
    const all = [['Host', 'localhost'], ...headers, ['X-Request-Id', id]] as const
    const isOwn = !headers.some(([name]) => /request-id/i.test(name))
    const bytes = bytesOf({ ...rest, headers: all })
    return {
      ...{ kind, bytes, way: 'whole', ending: 'half-close', isRequest: true, expected },
      requestId: isOwn ? id : undefined,
    }
  })

/** A text for a path or a query, mostly well escaped. */
const escaped = (text: Arbitrary<string>): Arbitrary<string> =>
  mostly(
    text.map((it) => encodeURIComponent(it.toWellFormed())),
    text.map((it) => it.replaceAll(' ', '+')),
  )

const targetOf = (path: string, { links, subscriptions }: Surroundings): Arbitrary<string> => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = names.map((name) => {
    if (name === 'token') return fc.constantFrom(...links).map((link) => link.split('/')[1] ?? '')
    if (name === 'name') return escaped(valueNamed('feed'))
    return escaped(name === 'subscriptionId' ? mostly(fc.constantFrom(...subscriptions), anyText) : valueNamed(name))
  })
  return fc.tuple(...values).map((all) => path.replace(/\{\w+\}/g, () => all.shift() ?? ''))
}

const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const

/** Paths and queries with any method, by callers of every kind. */
const targets = (around: Surroundings): Arbitrary<Input> => {
  const { document, tokens } = around
  const named = Object.values(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ parameters = [] }) => parameters),
  )
  const names = [...new Set(named.filter((it) => it.in === 'query').map(({ name = '' }) => name))]
  const query = fc
    .array(
      fc.constantFrom(...names, 'x').chain((name) => escaped(valueNamed(name)).map((value) => `${name}=${value}`)),
      { maxLength: 5 },
    )
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`))
  const target = fc
    .tuple(
      fc.constantFrom(...Object.keys(document.paths)).chain((path) => targetOf(path, around)),
      query,
    )
    .map((both) => both.join(''))
  const strange = mutated(target.map((it) => Buffer.from(it))).map((bytes) =>
    bytes.toString('utf8').replace(/[\r\n]/g, ''),
  )
  return requestOf(
    'target',
    fc.record({
      method: fc.constantFrom(...METHODS),
      target: fc.oneof(
        target,
        target,
        target,
        strange,
        strange.map((it) => `http://localhost:8080${it}`),
      ),
      headers: fc.tuple(
        fc.constantFrom(tokens.admin, tokens.admin, tokens.auditor, tokens.nobody).map(bearer),
        fc.constantFrom('*/*', 'text/html', 'application/json').map((type) => ['Accept', type] as const),
      ),
    }),
  )
}

/** Header fields of every kind, few or very many, single or repeated, for any path. */
const headers = (around: Surroundings): Arbitrary<Input> => {
  const name = mostly(fc.constantFrom(...HEADER_NAMES), anyText, 15)
  const value = fc.oneof(fc.constantFrom(...HEADER_VALUES), anyText)
  const fields = fc.oneof(
    { arbitrary: fc.array(fc.tuple(name, value), { maxLength: 6 }), weight: 40 },
    { arbitrary: fc.array(fc.tuple(name, value), { minLength: 50, maxLength: 300 }), weight: 1 },
  )
  const draft = fc.record({
    method: fc.constantFrom(...METHODS),
    target: fc.constantFrom(...Object.keys(around.document.paths)).chain((path) => targetOf(path, around)),
    headers: fields,
    token: fc.option(fc.constantFrom(around.tokens.admin, around.tokens.nobody)),
  })
  return requestOf(
    'headers',
    draft.map(({ token, ...rest }) => ({
      ...rest,
      headers: [...rest.headers, ...(token === null ? [] : [bearer(token)])],
      body: /^P/.test(rest.method) ? Buffer.from('email=zqperson-1%40example.com') : undefined,
    })),
  )
}

/** Values that a schema allows, and others. */
const anyOfSchema = (schema: Schema, name: string, document: Document, depth = 0): Arbitrary<unknown> => {
  const { enum: listed, properties, items, type } = resolved(schema, document)
  const own: Arbitrary<unknown> =
    listed !== undefined && listed.length > 0
      ? fc.constantFrom(...listed)
      : properties !== undefined && depth < 4
        ? fc.record(
            Object.fromEntries(
              Object.entries(properties).map(([key, it]) => [key, anyOfSchema(it, key, document, depth + 1)]),
            ),
            { requiredKeys: [] },
          )
        : items !== undefined && depth < 4
          ? fc.array(anyOfSchema(items, name, document, depth + 1), { maxLength: 3 })
          : type === 'integer' || type === 'number'
            ? fc.integer()
            : type === 'boolean'
              ? fc.boolean()
              : valueNamed(name)
  return mostly(own, fc.jsonValue(), 12)
}

const resolved = (schema: Schema, document: Document): Schema => {
  const { $ref, oneOf, anyOf } = schema
  if ($ref !== undefined) {
    const found = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
    return found === undefined ? {} : resolved(found as Schema, document)
  }
  const [first] = oneOf ?? anyOf ?? []
  return first === undefined ? schema : resolved(first, document)
}

const COMPRESSIONS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
}

/** Sometimes broken, sometimes compressed, sometimes both. */
const encoded = (
  body: Arbitrary<Buffer>,
): Arbitrary<{ readonly body: Buffer; readonly coding: string | undefined }> => {
  const plain = fc.oneof({ arbitrary: body, weight: 2 }, { arbitrary: mutated(body), weight: 1 })
  const large = mostly(plain, fc.constant(Buffer.alloc(200_000, 97)), 20)
  const compressed = fc.tuple(fc.constantFrom(...Object.keys(COMPRESSIONS)), large).chain(([coding, bytes]) => {
    const packed = fc.constant(COMPRESSIONS[coding]?.(bytes) ?? bytes)
    return fc.oneof(packed, mutated(packed)).map((it) => ({ body: it, coding }))
  })
  return mostly(
    plain.map((it) => ({ body: it, coding: undefined })),
    compressed,
    12,
  )
}

const formOf = (fields: unknown): string =>
  new URLSearchParams(
    Object.entries(fields ?? {}).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [
        name,
        typeof one === 'object' ? JSON.stringify(one) : `${one}`,
      ]),
    ),
  ).toString()

/** A body for each operation that takes one, as a form or JSON, valid or not, compressed or not. */
const bodies = (around: Surroundings): Arbitrary<Input> => {
  const { document, tokens } = around
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema
      // What goes wrong for good would end the run: keys are not rotated, and the last administrator stays.
      return schema === undefined ? [] : [{ path, method: method.toUpperCase(), schema }]
    }),
  )
  return fc.constantFrom(...operations).chain(({ path, method, schema }) => {
    const fields = anyOfSchema(schema, '', document)
    const written = fc.oneof(
      fields.map((value) => ['application/json', JSON.stringify(value)] as const),
      fields.map((value) => ['application/x-www-form-urlencoded', formOf(value)] as const),
      fc.nat(8_000).map((depth) => ['application/json', '['.repeat(depth)] as const),
    )
    const draft = written.chain(([type, text]) =>
      fc.record({
        target: targetOf(path, around),
        content: encoded(fc.constant(Buffer.from(text))),
        type: mostly(fc.constant(type), fc.oneof(fc.constantFrom(...HEADER_VALUES), anyText), 20),
        accept: fc.constantFrom('*/*', 'text/html', 'application/json'),
      }),
    )
    return requestOf(
      'body',
      draft.map(({ target, content: { body, coding }, type, accept }) => ({
        ...{ method, target, body },
        headers: [
          ...[['Content-Type', type] as const, ['Accept', accept] as const, bearer(tokens.admin)],
          ...(coding === undefined ? [] : [['Content-Encoding', coding] as const]),
        ],
      })),
    )
  })
}

const COLUMNS = [
  'email',
  'name',
  'feed',
  'locale',
  'status',
  'created_at',
  'confirmed_at',
  'ended_at',
  'consent',
  'id',
  'roles',
]

/** A file of a few rows, valid or not. */
const imports = ({ document, tokens }: Surroundings): Arbitrary<Input> => {
  const cell = (column: string) => valueNamed(column).map((text) => [column, text] as const)
  const rows = fc
    .subarray(COLUMNS, { minLength: 1 })
    .chain((columns) => fc.array(fc.tuple(...columns.map(cell)), { minLength: 1, maxLength: 8 }))
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const csv = rows.map((all) =>
    [(all[0] ?? []).map(([name]) => name), ...all.map((row) => row.map(([, text]) => quoted(text)))]
      .map((row) => row.join(','))
      .join('\n'),
  )
  const ndjson = rows.map((all) => all.map((row) => JSON.stringify(Object.fromEntries(row))).join('\r\n'))
  const file = fc.oneof(
    csv.map((text) => ['text/csv', text] as const),
    ndjson.map((text) => ['application/x-ndjson', text] as const),
  )
  const draft = file.chain(([type, text]) =>
    fc.record({
      path: fc.constantFrom(...Object.keys(document.paths).filter((path) => path.endsWith('/import'))),
      query: fc.constantFrom('', '', '?dry_run=true', '?mail=send', '?map=email:x', '?mail=x'),
      content: encoded(fc.constant(Buffer.from(text))),
      type: fc.constant(type),
    }),
  )
  return requestOf(
    'import',
    draft.map(({ path, query, type, content: { body, coding } }) => ({
      ...{ method: 'POST', target: `${path}${query}`, body },
      headers: [
        ['Content-Type', type],
        bearer(tokens.admin),
        ...(coding === undefined ? [] : [['Content-Encoding', coding] as const]),
      ],
    })),
  )
}

/** Links that differ a little from mailed ones. */
const links = ({ links: mailed }: Surroundings): Arbitrary<Input> => {
  const draft = fc.constantFrom(...mailed).chain((link) => {
    const [purpose = '', token = ''] = link.split('/')
    const other = fc.oneof(
      mutated(fc.constant(Buffer.from(token)), 2).map((bytes) => bytes.toString('utf8')),
      anyText.map((text) => `${token.slice(0, token.lastIndexOf('.') + 1)}${text}`),
      fc.constantFrom(token.toUpperCase(), token.slice(1), `${token}0`),
    )
    const changed = other.map((text) => (text === token ? '0' : encodeURIComponent(text.toWellFormed())))
    const purposes = ['confirm', 'refuse', 'unsubscribe', 'preferences'].filter((it) => it !== purpose)
    const misused = fc.constantFrom(...purposes).map((it) => `/${it}/${token}`)
    return fc.record({
      method: fc.constantFrom('GET', 'HEAD', 'POST'),
      target: mostly(
        changed.map((text) => `/${purpose}/${text}`),
        misused,
        3,
      ),
      headers: fc
        .constantFrom('text/html', '*/*')
        .map((type) => [['Accept', type] as const, ['Content-Type', 'application/x-www-form-urlencoded'] as const]),
    })
  })
  const withBody = draft.map((it) => ({ ...it, body: it.method === 'POST' ? Buffer.from('action=erase') : undefined }))
  return requestOf('link', withBody, [400, 404, 405, 431])
}

/** What only a valid token may do. */
const AIMS = [
  ['DELETE', `/users/${GUARDED}-1`],
  ['DELETE', `/feeds/${GUARDED}?subscriptions=erase`],
  ['PUT', `/users/${GUARDED}-2`],
  ['PUT', `/feeds/${GUARDED}`],
  ['GET', '/users'],
  ['GET', `/users/${GUARDED}-3/export`],
  ['GET', '/audit'],
  ['POST', '/subscriptions/import'],
] as const

/** Tokens that must not be accepted. */
const badTokens = ({ tokens: { admin }, forged }: Surroundings): Arbitrary<Input> => {
  const broken = mutated(fc.constant(Buffer.from(admin)), 2).map((bytes) => bytes.toString('latin1'))
  const long = fc.nat(9_000).map((length) => '.'.repeat(length))
  const draft = fc.tuple(fc.constantFrom(...AIMS), fc.oneof(broken, broken, fc.constantFrom(...forged), long, anyText))
  return requestOf(
    'token',
    draft.map(([[method, target], token]) => ({
      ...{ method, target },
      // What is only taken off on the way leaves a good one.
      headers: [bearer(inOneLine(token).trim() === admin ? 'none' : token), ['Content-Type', 'application/json']],
      body: method === 'PUT' ? Buffer.from('{"email":"changed@example.com","name":"","roles":[]}') : undefined,
    })),
    [400, 401, 431],
  )
}

/** Fields that decide where a request ends, valid or not. */
const FRAMINGS = [
  ...['0', '5', '+5', '5, 5', '99999999999999999999', '-1', '0x5'].map((length) => `Content-Length: ${length}`),
  ...['chunked', 'Chunked', 'gzip, chunked', 'chunked, identity', '\x0bchunked'].map(
    (coding) => `Transfer-Encoding: ${coding}`,
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

const built: Arbitrary<Buffer> = fc
  .record({
    method: mostly(fc.constantFrom(...METHODS), fc.constantFrom('CONNECT', 'PRI', 'QUERY', 'get', 'M-SEARCH', '')),
    target: fc.constantFrom('/subscribe', '/livez', '/users', '*', 'localhost:80', 'http://localhost/livez', '/x y'),
    version: fc.constantFrom(...VERSIONS),
    host: mostly(fc.constant(['Host: localhost']), fc.constant([]), 8),
    framings: fc.array(fc.constantFrom(...FRAMINGS), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
    text: fc.constantFrom('email=a%40example.com', '{"email":"a@example.com"}', '', 'GET /smuggled HTTP/1.1\r\n\r\n'),
    sizes: fc.array(mostly(fc.constant(undefined), fc.constantFrom('ffffffff', '0', '-1', '0x5', '5 ', '5;a=b', 'g')), {
      maxLength: 4,
    }),
    trailer: fc.constantFrom('', '', 'X-A: b\r\nHost: c\r\n'),
  })
  .map(({ method, target, version, host, framings, end, text, sizes, trailer }) => {
    const lines = [
      `${method} ${target} ${version}`,
      ...host,
      'Content-Type: application/x-www-form-urlencoded',
      ...framings,
    ]
    const chunks = sizes.map((size) => `${size ?? text.length.toString(16)}\r\n${text}\r\n`).join('')
    return Buffer.from(
      `${lines.join(end)}${end}${end}${sizes.length === 0 ? text : `${chunks}0\r\n${trailer}\r\n`}`,
      'latin1',
    )
  })

/** Bytes that may not be HTTP; many nearly are, and some are several requests. */
const streams = (around: Surroundings): Arbitrary<Input> => {
  const piece = fc.oneof(
    built,
    built,
    fc.oneof(targets(around), bodies(around)).map(({ bytes }) => bytes),
    fc.constantFrom(...around.seeds),
  )
  const pieces = fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => Buffer.concat(all))
  const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes))
  return fc
    .record({
      bytes: fc.oneof(
        { arbitrary: pieces, weight: 20 },
        { arbitrary: mutated(pieces), weight: 20 },
        { arbitrary: noise, weight: 1 },
      ),
      way: fc.constantFrom('whole', 'whole', 'halves', 'bytes'),
      ending: mostly(fc.constant('half-close' as const), fc.constant('reset' as const), 12),
    })
    .map(({ bytes, way, ending }) => ({
      ...{ kind: 'stream', bytes, ending, isRequest: false, requestId: undefined, expected: undefined },
      way: way === 'bytes' && bytes.length > 600 ? 'whole' : way,
    }))
}

/** Any input, each kind with its share; imports are many inputs in one. */
export const anyInput = (around: Surroundings): Arbitrary<Input> =>
  fc.oneof(
    { arbitrary: bodies(around), weight: 27 },
    { arbitrary: headers(around), weight: 17 },
    { arbitrary: imports(around), weight: 4 },
    { arbitrary: links(around), weight: 8 },
    { arbitrary: streams(around), weight: 14 },
    { arbitrary: targets(around), weight: 16 },
    { arbitrary: badTokens(around), weight: 14 },
  )
