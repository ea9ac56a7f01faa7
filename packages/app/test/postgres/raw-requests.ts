import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'

const VECTORS = path.resolve(import.meta.dirname, '../../../../../shared/vectors')

/** Every text in the test vectors that lie beside the project, where they do; none elsewhere. */
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
  readonly body?: string
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
    socket.write([`${method} ${target} HTTP/1.1`, ...lines, '', body].join('\r\n'))
  })
