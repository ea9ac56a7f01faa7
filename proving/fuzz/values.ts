import fc, { type Arbitrary } from 'fast-check'

/** Part of every address and name that is sent: found in a log, it is a leak of personal data. */
export const PERSONAL = 'zqperson'

/** Users and feeds that must not change; no valid input names them. */
export const GUARDED = 'guarded'

/** Texts that have broken software before, beside those that fast-check makes. */
const NAUGHTY = [
  ...['', ' ', '\0', '\t', '\n', '\r\n', '\u001b[31m', '\u0085', '\u200b', '\u202e', '\ufeff', '\uffff', '👩‍👩‍👧‍👦'],
  ...[
    'e\u0301',
    'İıßẞ',
    '字'.repeat(70),
    'a'.repeat(255),
    'a'.repeat(5_000),
    "'; DROP TABLE users;--",
    '"a b"@example.com',
  ],
  ...`% %00 %0a %2e%2e%2f %25 %c0%af %ed%a0%80 %ff %u0000 + & = ; # ? // \\ .. ../../etc/passwd * _ ' " $1 {{7*7}}
    <script>alert(1)</script> __proto__ constructor toString hasOwnProperty length null undefined true NaN Infinity
    0 -0 -1 1 1e308 1e999 0x10 9007199254740991 9007199254740993 18446744073709551616 2024-02-30T25:61:61Z
    -271821-04-20T00:00:00.000Z +275760-09-13T00:00:00.001Z xn-- xn--zzzzzz99999 [::1] @ a@b@c operator:root`.split(
    /\s+/,
  ),
]

const DOMAINS =
  `example.com EXAMPLE.com bücher.example xn--bcher-kva.example xn--a a.b.c.d.example localhost faß.example １２７.0.0.1
  [127.0.0.1] a..b -a.example example.com. ${'a'.repeat(64)}.example ${'b.'.repeat(120)}example`.split(/\s+/)

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
    fc.constantFrom(...NAUGHTY, ...'\0\t\n\r "%,:;\\\x7f').map((text) => Buffer.from(text.slice(0, 300))),
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
export const mutated = (bytes: Arbitrary<Buffer>, maxLength = 6): Arbitrary<Buffer> =>
  fc.tuple(bytes, fc.array(change, { minLength: 1, maxLength })).map(([all, changes]) => changes.reduce(changed, all))

export const mutatedText = (text: Arbitrary<string>): Arbitrary<string> =>
  mutated(
    text.map((it) => Buffer.from(it)),
    3,
  ).map((bytes) => bytes.toString('utf8'))

/** Mostly the first, sometimes the second. */
export const mostly = <A, B>(usual: Arbitrary<A>, rare: Arbitrary<B>, weight = 5): Arbitrary<A | B> =>
  fc.oneof({ withCrossShrink: true }, { arbitrary: usual, weight }, { arbitrary: rare, weight: 1 })

export const anyText = fc.oneof(
  fc.constantFrom(...NAUGHTY),
  mutatedText(fc.constantFrom(...NAUGHTY)),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
)

/** Few persons, so that the store stays small and most are met again in another state. */
const person = fc.nat(100).map((n) => `${PERSONAL}-${n}@example.com`)
const strange = fc.constantFrom(...DOMAINS).map((domain) => `${PERSONAL}-1@${domain}`)
const address = mostly(fc.oneof(person, person, strange), mutatedText(person))
const feed = fc.oneof(
  fc.constantFrom('default', 'news'),
  fc.nat(30).map((n) => `feed-${n}`),
)
const locale = fc.constantFrom('de', 'de-DE', 'en-GB-oxendict', 'zh-Hant-TW', 'x-a', 'i-klingon', 'de_DE')
const url = fc.constantFrom('https://hooks.example.com/', 'http://127.0.0.1:1/', 'http://[::ffff:10.0.0.1]/', 'x:')
const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
/** Like a cursor, with other content. */
const cursor = fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))

/** What a name in a path, a query, a row or a body mostly stands for; other names stand for any text. */
const BY_NAME: readonly (readonly [pattern: RegExp, arbitrary: Arbitrary<string>])[] = [
  [/^(?:email|address|addresses|query)$/, address],
  [/^sender$/, address.map((it) => `News <${it}>`)],
  [/^name$/, mostly(fc.constant(`${PERSONAL} Zoë`), anyText, 2)],
  [/^feeds?$/, feed],
  [/^userId$/, fc.nat(300).map((n) => `user-${n}`)],
  [/^(?:locale|language)$/, locale],
  [/url/, url],
  [/^(?:cursor|after)$/, cursor],
  [/^(?:at|since)$|_at$/, time],
  [/^limit$|id$/i, fc.nat(2_000).map(String)],
  [/^status$/, fc.constantFrom('pending', 'confirmed', 'ended')],
  [/^roles$/, fc.constantFrom('', 'admin', 'auditor', 'root')],
  [/^consent$/, anyText.map((wording) => JSON.stringify({ wording, at: '2024-07-02T12:56:49Z' }))],
]

export const valueNamed = (name: string): Arbitrary<string> => {
  const known = BY_NAME.find(([pattern]) => pattern.test(name))?.[1]
  return mostly(known ?? fc.constant('text'), anyText, known === undefined ? 1 : 6)
}
