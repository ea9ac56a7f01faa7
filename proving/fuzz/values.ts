import fc, { type Arbitrary } from 'fast-check'

/** Part of every address and name that is sent: found in a log, it is a leak of personal data. */
export const PERSONAL = 'zqperson'

/** Users and feeds that must not change; no valid input names them. */
export const GUARDED = 'guarded'

/** Texts that have broken software before, beside those that fast-check makes. */
const NAUGHTY = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\t',
    '\n',
    '\r\n',
    '\u001b[31m',
    '\u0085',
    '\u200b',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '\uffff',
  ],
  ...['e\u0301', 'İıßẞ', 'ﬀ', '👩‍👩‍👧‍👦', '字'.repeat(70), 'a'.repeat(255), 'a'.repeat(5_000)],
  ...[
    '%',
    '%00',
    '%0a',
    '%2e%2e%2f',
    '%25',
    '%c0%af',
    '%ed%a0%80',
    '%ff',
    '%u0000',
    '+',
    '&',
    '=',
    ';',
    '#',
    '?',
    '//',
  ],
  ...[
    '\\',
    '..',
    '../../etc/passwd',
    '*',
    '_',
    "'",
    '"',
    "'; DROP TABLE users;--",
    '$1',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
    'null',
    'undefined',
    'true',
    'NaN',
    'Infinity',
  ],
  ...['0', '-0', '-1', '1', '1e308', '1e999', '0x10', '9007199254740991', '9007199254740993', '18446744073709551616'],
  ...['2024-02-30T25:61:61Z', '-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '2024-07-02T12:56:49Z'],
  ...['xn--', 'xn--zzzzzz99999', '[::1]', '@', 'a@b@c', '"a b"@example.com', 'operator:root'],
]

const DOMAINS = [
  ...['example.com', 'EXAMPLE.com', 'bücher.example', 'xn--bcher-kva.example', 'xn--a', 'a.b.c.d.example', 'localhost'],
  ...[`${'a'.repeat(64)}.example`, `${'b.'.repeat(120)}example`, 'faß.example', '１２７.0.0.1', '[127.0.0.1]'],
  ...['a..b', '-a.example', 'example.com.'],
]

interface Change {
  readonly kind: 'flip' | 'put' | 'cut' | 'insert' | 'repeat' | 'end'
  readonly at: number
  readonly length: number
  readonly piece: Uint8Array
}

const change: Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('flip', 'put', 'cut', 'insert', 'repeat', 'end'),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 12 }),
  piece: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }),
    fc.constantFrom(...NAUGHTY.filter((text) => text.length < 300)).map((text) => Buffer.from(text)),
    fc.constantFrom(...'\0\t\n\r "%,:;\\\x7f').map((text) => Buffer.from(text)),
  ),
})

const changed = (bytes: Buffer, { kind, at: anywhere, length, piece }: Change): Buffer => {
  const at = anywhere % (bytes.length + 1)
  const [before, rest, after] = [bytes.subarray(0, at), bytes.subarray(at), bytes.subarray(at + length)]
  if (kind === 'end') return before
  if (kind === 'cut') return Buffer.concat([before, after])
  if (kind === 'insert') return Buffer.concat([before, piece, rest])
  if (kind === 'repeat') return Buffer.concat([before, ...Array(length * 4).fill(rest)]).subarray(0, 20_000)
  const copy = Buffer.from(bytes)
  if (at < copy.length) copy[at] = kind === 'flip' ? (copy[at] ?? 0) ^ (1 << (length % 8)) : (piece[0] ?? 0)
  return copy
}

/** The same bytes, but for a few changes; shrinks to fewer of them. */
export const mutated = (bytes: Arbitrary<Buffer>, most = 6): Arbitrary<Buffer> =>
  fc
    .tuple(bytes, fc.array(change, { minLength: 1, maxLength: most }))
    .map(([all, changes]) => changes.reduce(changed, all))

const mutatedText = (text: Arbitrary<string>): Arbitrary<string> =>
  mutated(
    text.map((it) => Buffer.from(it)),
    3,
  ).map((bytes) => bytes.toString('utf8'))

/** Mostly this, sometimes that. */
export const mostly = <A, B>(usual: Arbitrary<A>, rare: Arbitrary<B>, weight = 5): Arbitrary<A | B> =>
  fc.oneof({ arbitrary: usual, weight }, { arbitrary: rare, weight: 1 })

export const anyText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NAUGHTY),
  mutatedText(fc.constantFrom(...NAUGHTY)),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
)

/** Few persons, so that the store stays small and most are met again in another state. */
const person = fc.nat(3_000).map((n) => `${PERSONAL}-${n}@example.com`)
const strange = fc.tuple(fc.nat(3_000), fc.constantFrom(...DOMAINS)).map(([n, domain]) => `${PERSONAL}-${n}@${domain}`)
const anyAddress = mostly(fc.oneof(person, person, strange), fc.oneof(mutatedText(person), anyText))
const anyName = fc.oneof(
  anyText.map((text) => `${PERSONAL} ${text}`),
  anyText,
)
const anyFeed = mostly(
  fc.oneof(
    fc.constantFrom('default', 'news'),
    fc.nat(30).map((n) => `feed-${n}`),
  ),
  anyText,
)
const anyUser = mostly(
  fc.nat(300).map((n) => `user-${n}`),
  anyText,
)
const anyLocale = fc.constantFrom('de', 'de-DE', 'en-GB-oxendict', 'zh-Hant-TW', 'x-a', 'i-klingon', 'de_DE')
const anyUrl = fc.oneof(
  fc.constantFrom('https://hooks.example.com/', 'http://127.0.0.1:1/', 'http://[::ffff:10.0.0.1]/', 'x:'),
  fc.webUrl(),
)
const anyTime = mostly(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  anyText,
  2,
)
/** Like a cursor, with other content. */
const anyCursor = fc
  .oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    anyText,
  )
  .map((text) => Buffer.from(text).toString('base64url'))

/** What a name in a path, a query, a row or a body stands for; other names stand for any text. */
const BY_NAME: Readonly<Record<string, Arbitrary<string>>> = {
  ...{ email: anyAddress, address: anyAddress, query: anyAddress, name: anyName, feed: anyFeed, feeds: anyFeed },
  ...{ userid: anyUser, locale: anyLocale, language: anyLocale, url: anyUrl, cursor: anyCursor, after: anyCursor },
  limit: fc.nat(210).map(String),
  status: fc.constantFrom('pending', 'confirmed', 'ended'),
  roles: fc.constantFrom('', 'admin', 'auditor', 'root'),
  consent: fc.tuple(anyText, anyTime).map(([wording, at]) => JSON.stringify({ wording, at })),
  sender: anyAddress.map((address) => `News <${address}>`),
  open: fc.constantFrom('true', 'false', 'on'),
  id: mostly(fc.nat(2_000).map(String), anyText),
}

export const valueNamed = (name: string): Arbitrary<string> => {
  const key = name.toLowerCase()
  const known =
    BY_NAME[key] ?? (/_at$/.test(key) ? anyTime : /id$/.test(key) ? BY_NAME.id : /url/.test(key) ? anyUrl : undefined)
  return known === undefined ? anyText : mostly(known, anyText, 4)
}
