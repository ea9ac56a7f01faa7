import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Random } from '../../../proving/shared/random.ts'
import { FIELD_NAMES, HEADER_VALUES } from '../dictionary.ts'
import type { RequestInput, Surroundings } from '../input.ts'
import { mutated, mutatedText } from '../mutate.ts'
import { requestBytes } from './request.ts'
import { filled } from './target.ts'
import { anyAddress, anyFeed, anyName, anyText } from './values.ts'

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly fields: readonly string[]
}

const ENDPOINTS: readonly [Endpoint, ...Endpoint[]] = [
  { method: 'POST', path: '/subscribe', fields: ['email', 'name', 'feed', 'locale', 'website', 'return_to'] },
  { method: 'POST', path: '/subscribe', fields: ['email', 'name'] },
  { method: 'POST', path: '/preferences', fields: ['email'] },
  { method: 'POST', path: '/preferences/{link}', fields: ['action', 'feed', 'never_again'] },
  { method: 'POST', path: '/confirm/{link}', fields: [] },
  { method: 'POST', path: '/unsubscribe/{link}', fields: ['List-Unsubscribe'] },
  { method: 'PUT', path: '/users/{user}', fields: ['email', 'name', 'roles'] },
  { method: 'POST', path: '/users/{user}/restore', fields: ['reason'] },
  {
    method: 'PUT',
    path: '/feeds/{feed}',
    fields: [
      'title',
      'description',
      'language',
      'sender',
      'wording',
      'return_urls',
      'confirmed_url',
      'home_url',
      'remind_after',
      'open',
    ],
  },
  { method: 'PUT', path: '/webhooks/{webhook}', fields: ['url', 'types', 'secret'] },
  { method: 'POST', path: '/subscriptions/{subscription}/confirm', fields: ['reason'] },
  { method: 'POST', path: '/subscriptions/{subscription}/end', fields: ['reason'] },
]

type Value = (random: Random, around: Surroundings) => string

const VALUES: ReadonlyMap<string, Value> = new Map<string, Value>(
  Object.entries({
    email: anyAddress,
    name: anyName,
    feed: anyFeed,
    locale: (random) => random.pick(['de', 'de-DE', 'en-GB-oxendict', 'zh-Hant-TW', 'x-a', 'i-klingon', 'de_DE']),
    roles: (random) => random.pick(['', 'admin', 'auditor', 'admin auditor', 'root']),
    action: (random) => random.pick(['subscribe', 'end', 'end-all', 'erase', 'never-again', 'allow']),
    url: (random) =>
      random.pick(['https://hooks.example.com/', 'http://127.0.0.1:1/', 'http://[::ffff:10.0.0.1]/', 'x:']),
    open: (random) => random.pick(['true', 'false', 'on']),
    sender: (random, around) => `News <${anyAddress(random, around)}>`,
  } satisfies Record<string, Value>),
)

const fieldValue = (random: Random, around: Surroundings, name: string): string => {
  const value = random.oneIn(4) ? undefined : VALUES.get(name)
  return (value ?? anyText)(random, around)
}

/** Valid names and values, some of them missing, unknown or repeated. */
const fieldsFor = (random: Random, around: Surroundings, names: readonly string[]): [string, string][] => {
  const asked = names.filter(() => !random.oneIn(10))
  const more = random.oneIn(4) ? [random.oneIn(2) ? random.pick(FIELD_NAMES) : anyText(random, around)] : []
  return [...asked, ...more].map((name) => [name, fieldValue(random, around, name)])
}

const nested = (random: Random, text: string): unknown => {
  const depth = random.few(random.oneIn(20) ? 3_000 : 5)
  let value: unknown = text
  // Written by hand further down: JSON.stringify itself would run out of stack.
  for (let level = 0; level < Math.min(depth, 50); level++) value = random.oneIn(2) ? [value] : { [text]: value }
  return value
}

const jsonValue = (random: Random, text: string): unknown => {
  if (!random.oneIn(6)) return text
  return random.pick([
    text.split(' '),
    Number(text),
    null,
    true,
    [],
    {},
    nested(random, text),
    random.unsigned() - 2 ** 31,
  ])
}

const jsonOf = (random: Random, fields: readonly [string, string][]): string => {
  // Member by member, so that names may repeat and be anything.
  const members = fields.map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(jsonValue(random, text))}`)
  if (random.oneIn(200)) return '['.repeat(random.below(8_000))
  return `{${members.join(random.oneIn(50) ? ',,' : ',')}}`
}

const formOf = (random: Random, fields: readonly [string, string][]): string => {
  const text = new URLSearchParams(fields).toString()
  return random.oneIn(8)
    ? decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25').replace(/%[89a-f][\da-f]/gi, ''))
    : text
}

const CODINGS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes, { level: 1 }),
  deflate: (bytes) => deflateSync(bytes, { level: 1 }),
  br: (bytes) => brotliCompressSync(bytes, { params: { 1: 1 } }),
}

/** A body for an endpoint, as form or JSON, valid or not, compressed or not. */
export const bodyInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const { method, path, fields: names } = random.pick(ENDPOINTS)
  const fields = fieldsFor(random, around, names)
  const asJson = random.oneIn(2)
  let body = Buffer.from(asJson ? jsonOf(random, fields) : formOf(random, fields))
  if (random.oneIn(3)) body = Buffer.from(mutated(random, body))
  const type = asJson ? 'application/json' : 'application/x-www-form-urlencoded'
  const requestId = `body-${number}`
  const headers: [string, string][] = [
    ['Host', 'localhost'],
    ['X-Request-Id', requestId],
    ['Authorization', `Bearer ${around.credentials.admin}`],
    ['Content-Type', contentType(random, type)],
  ]
  if (random.oneIn(3)) headers.push(['Accept', random.pick(['text/html', 'application/json', '*/*'])])
  if (random.oneIn(12)) {
    const coding = random.pick(['gzip', 'deflate', 'br'])
    headers.push(['Content-Encoding', coding])
    body = Buffer.from(CODINGS[coding]?.(random.oneIn(20) ? Buffer.alloc(200_000, 97) : body) ?? body)
    if (random.oneIn(2)) body = Buffer.from(mutated(random, body))
  }
  const bytes = requestBytes({ method, target: filled(random, around, path), headers, body })
  return { kind: 'body', number, bytes, method, requestId, expected: undefined }
}

const contentType = (random: Random, type: string): string => {
  if (random.oneIn(12)) return random.pick(HEADER_VALUES)
  return random.oneIn(12) ? mutatedText(random, `${type}; charset=utf-8`) : type
}
