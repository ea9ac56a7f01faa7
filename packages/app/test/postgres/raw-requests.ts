import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'

const VECTORS = path.resolve(import.meta.dirname, '../../../../../shared/vectors')

/** Every text in the test vectors that lie beside the project, if they do; none elsewhere. */
const textsIn = (name: string): readonly string[] => {
  const file = path.join(VECTORS, name)
  const texts: string[] = []
  // Looks at every value, however deep.
  if (existsSync(file))
    JSON.parse(readFileSync(file, 'utf8'), (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  return texts
}

const NAUGHTY = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\ufffd',
  '\uffff',
  "Robert'); DROP TABLE users;--",
  '%',
  '_',
  '\\',
  '$1',
  'ÀÉİıß',
  '字'.repeat(250),
  '😀'.repeat(201),
  // Some of them: each goes to sixteen places, on two services.
  ...textsIn('blns.json').filter((_, n) => n % 6 === 0),
]

const ADDRESSES = [
  ...['ada@example.com', 'ADA@Example.COM', 'ada@bücher.example', 'a\0@example.com', 'x@y', 'x', '"a b"@example.com'],
  ...textsIn('wpt.input-email.json'),
]

export interface Request {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const json = (method: string, target: string, body: unknown): Request => ({
  method,
  target,
  headers: { 'Content-Type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const form = (target: string, fields: Readonly<Record<string, string>>): Request => ({
  method: 'POST',
  target,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})
const get = (target: string): Request => ({ method: 'GET', target })
const remove = (target: string): Request => ({ method: 'DELETE', target })
const person = (n: number) => `person-${n}@example.com`

const bytes = (target: string, type: string, body: string): Request => ({
  method: 'POST',
  target,
  headers: { 'Content-Type': type },
  // A character for each byte, so that there may be any.
  body: Buffer.from(body, 'latin1'),
})

/** What is no UTF-8, or is a lone half of a pair in it, as bytes and as escapes. */
const NOT_UTF8 = ['\xff', '\xc0\x80', '\xed\xa0\x80', '\xf8\x88\x80\x80\x80', 'a\xc3', '\xef\xbf\xbe', '\x00']
const badBytes = (): readonly Request[] =>
  NOT_UTF8.flatMap((text, n) => {
    const percents = [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16)}`).join('')
    const half = `\\ud8${n}0`
    return [
      bytes('/subscribe', 'application/x-www-form-urlencoded', `email=bad-${n}@example.com&name=${text}`),
      bytes('/subscribe', 'application/x-www-form-urlencoded', `email=bad-${n}@example.com&name=${percents}`),
      bytes('/subscribe', 'application/x-www-form-urlencoded', `email=bad${percents}@example.com`),
      bytes('/subscribe', 'application/json', `{"email":"bad-${n}@example.com","name":"${text}"}`),
      bytes('/subscribe', 'application/json', `{"email":"half-${n}@example.com","name":"${half}","locale":"${half}"}`),
      get(`/users?query=${percents}`),
      get(`/users/${percents}`),
      get(`/subscriptions?email=${percents}&cursor=${percents}`),
      get(`/feeds/${percents}`),
      remove(`/subscriptions/${percents}`),
    ]
  })

/** What databases put in different orders, or hold for the same, as they are set up. */
const SIMILAR = ['b', 'B', 'a', 'A', 'a-b', 'ab', 'a_b', 'A~', 'Z', 'z', '1', '10', '2', 'a.b', "a'b"]
const NAMES = [
  'straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ıstanbul',
  'Äsop',
  'asop',
  'A\u0308sop',
  'ﬁnal',
  'final',
  'Å',
  'Å',
]
const similar = (): readonly Request[] => [
  ...SIMILAR.map((id, n) =>
    json('PUT', `/users/${escaped(id)}`, { email: `${n}@x.example`, name: NAMES[n] ?? id, roles: [] }),
  ),
  ...['B', 'b', 'a-b', 'ab', 'a0', 'a', 'z', '10', '2', '1'].map((name) =>
    json('PUT', `/feeds/${name}`, { title: name }),
  ),
  ...[...SIMILAR, ...NAMES].map((text) => get(`/users?query=${escaped(text)}`)),
  ...SIMILAR.map((id) => get(`/users/${escaped(id)}`)),
]

const LONG = [254, 255, 256, 1_000, 5_000]
const tooLong = (): readonly Request[] =>
  LONG.flatMap((length) => {
    const text = 'x'.repeat(length)
    return [
      form('/subscribe', { email: `${text}@example.com` }),
      form('/subscribe', { email: `x@${'x.'.repeat(length / 2)}example.com`, name: text }),
      json('PUT', `/users/${text}`, { email: 'long@example.com', name: text, roles: [] }),
      json('PUT', '/feeds/long', { title: text, description: text }),
      json('PUT', `/feeds/${text}`, { title: 'long' }),
      get(`/users?query=${text}`),
      get(`/subscriptions?email=${text}&feed=${text}`),
    ]
  })

/** Lists that are gone through to their ends. */
export const LISTS = [
  '/users',
  '/feeds',
  '/subscriptions',
  '/subscriptions?status=pending',
  '/users?query=a',
  '/events',
  '/audit',
]

/** Good and bad requests, in an order in which later ones meet what earlier ones have left. */
export const corpus = (): readonly Request[] => [
  ...ADDRESSES.flatMap((email) => [form('/subscribe', { email, name: 'Ada' }), json('POST', '/subscribe', { email })]),
  ...NAUGHTY.flatMap((text, n) => [
    form('/subscribe', { email: person(n), name: text }),
    json('POST', '/subscribe', { email: person(n), name: text }),
    json('POST', '/subscribe', { email: 'ada@example.com', feed: text, locale: text }),
    json('POST', '/subscribe', { email: 'ada@example.com', [text]: text, website: text }),
    json('PUT', `/users/u${n}`, { email: person(n), name: text, roles: [] }),
    json('PUT', `/users/${escaped(text)}`, { email: `other-${n}@example.com`, name: '', roles: [text] }),
    json('PUT', `/feeds/f${n}`, { title: text, description: text }),
    get(`/users?query=${escaped(text)}`),
    get(`/users?role=${escaped(text)}&limit=3`),
    get(`/users/${escaped(text)}`),
    get(`/subscriptions?email=${escaped(text)}&feed=${escaped(text)}`),
    get(`/audit?after=${escaped(text)}`),
    get(`/confirm/${escaped(text)}`),
    form('/preferences', { email: text }),
    { ...remove(`/users/${escaped(text)}`), headers: { 'X-Reason': latin(text) } },
    { ...remove(`/users/u${n}`), headers: { 'User-Agent': latin(text) } },
  ]),
  ...['PUT', 'PUT', 'DELETE', 'PUT'].map((method) =>
    json(method, '/users/again', { email: 'again@example.com', name: '', roles: ['admin'] }),
  ),
  json('PUT', '/users/taken', { email: 'AGAIN@example.com', name: '', roles: [] }),
  json('PUT', '/feeds/news', { title: 'News' }),
  json('POST', '/subscribe', { email: 'ben@example.com', feed: 'news' }),
  json('POST', '/subscribe', { email: 'ben@example.com', feed: 'news' }),
  ...['/users', '/feeds', '/subscriptions', '/subscriptions?status=pending&feed=news', '/audit', '/events'].flatMap(
    (list) => [get(list), get(`${list}${list.includes('?') ? '&' : '?'}limit=2`), get(`${list}?limit=0`)],
  ),
  remove('/feeds/news'),
  remove('/feeds/news?subscriptions=erase'),
  remove('/feeds/default'),
  ...badBytes(),
  ...similar(),
  ...tooLong(),
  get('/subscriptions/export'),
  get('/subscriptions/export?format=csv'),
  get('/subscriptions/9007199254740993'),
  get('/subscriptions/1'),
  get('/users/again/export'),
  get('/users/again/erasure'),
  get('/audit'),
  get('/events'),
]

const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

const latin = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, 100)

/** What came back, byte for byte. */
export const send = (
  port: number,
  { method, target, headers = {}, body = '' }: Request,
  token: string,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' })
    const all = {
      Host: 'rollcall.example',
      Connection: 'close',
      Authorization: `Bearer ${token}`,
      'X-Request-Id': 'same',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
    socket.write(`${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
    socket.write(body)
  })
