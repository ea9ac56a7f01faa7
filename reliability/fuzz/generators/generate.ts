import { gzipSync } from 'node:zlib'
import { Random } from '../../../proving/shared/random.ts'
import type { Input, Kind, RequestInput, Surroundings } from '../input.ts'
import { mutated } from '../mutate.ts'
import { bodyInput } from './body.ts'
import { headersInput, requestBytes } from './request.ts'
import { streamInput } from './stream.ts'
import { targetInput } from './target.ts'
import { tokenInput } from './token.ts'
import { anyAddress, anyFeed, anyName, anyText, anyTime } from './values.ts'

const PURPOSES = ['confirm', 'refuse', 'unsubscribe', 'preferences'] as const

/** Links that differ a little from mailed ones. */
const linkInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const [purpose = '', token = ''] = (random.pickIfAny(around.links) ?? 'confirm/1.0').split('/')
  const as = random.oneIn(3) ? random.pick(PURPOSES) : purpose
  const changed = changedToken(random, around, token)
  const isGood = as === purpose && changed === token
  const method = random.pick(['GET', 'HEAD', 'POST'])
  const body = method === 'POST' ? Buffer.from('action=erase') : undefined
  const requestId = `link-${number}`
  const headers = [
    ['Host', 'localhost'],
    ['X-Request-Id', requestId],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Accept', random.pick(['text/html', '*/*'])],
  ] as const
  const target = `/${as}/${isGood ? '0' : changed}`
  const bytes = requestBytes({ method, target, headers, body })
  return { kind: 'link', number, bytes, method, requestId, expected: [400, 404, 405, 431] }
}

const changedToken = (random: Random, around: Surroundings, token: string): string => {
  switch (random.below(4)) {
    case 0:
      return withOtherDigit(random, token)
    case 1:
      return `${token.slice(0, token.lastIndexOf('.') + 1)}${encodeURIComponent(safely(anyText(random, around)))}`
    case 2:
      return token.toUpperCase()
    default:
      return encodeURIComponent(safely(mutated(random, Buffer.from(token)).toString('utf8')))
  }
}

/** Without lone surrogates, which nothing can escape. */
const safely = (text: string): string => text.toWellFormed()

const withOtherDigit = (random: Random, token: string): string => {
  const at = random.below(token.length)
  return token.slice(0, at) + '0123456789abcdef'.charAt(random.below(16)) + token.slice(at + 1)
}

const COLUMNS = ['email', 'name', 'feed', 'locale', 'status', 'created_at', 'confirmed_at', 'ended_at', 'consent']

const cellValue = (random: Random, around: Surroundings, column: string): string => {
  if (random.oneIn(6)) return anyText(random, around)
  if (column === 'email') return anyAddress(random, around)
  if (column === 'name') return anyName(random, around)
  if (column === 'feed') return anyFeed(random, around)
  if (column === 'locale') return 'de'
  if (column === 'status') return random.pick(['pending', 'confirmed', 'ended'])
  if (column === 'consent') return JSON.stringify({ wording: anyText(random, around), at: anyTime(random, around) })
  return anyTime(random, around)
}

const quoted = (random: Random, text: string): string =>
  /[",\r\n]/.test(text) && !random.oneIn(10) ? `"${text.replaceAll('"', '""')}"` : text

/** A file of a few rows, valid or not. */
const importInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const columns = ['email', ...COLUMNS.slice(1).filter(() => random.oneIn(3))]
  const rows = Array.from({ length: random.few(8) }, () =>
    columns.map((column) => [column, cellValue(random, around, column)] as const),
  )
  const csv = random.oneIn(2)
  const lines = csv
    ? [columns.join(','), ...rows.map((row) => row.map(([, text]) => quoted(random, text)).join(','))]
    : rows.map((row) => JSON.stringify(Object.fromEntries(row)))
  let body = Buffer.from(lines.join(random.pick(['\n', '\r\n', '\r'])))
  if (random.oneIn(2)) body = Buffer.from(mutated(random, body))
  const requestId = `import-${number}`
  const headers: [string, string][] = [
    ['Host', 'localhost'],
    ['X-Request-Id', requestId],
    ['Authorization', `Bearer ${around.credentials.admin}`],
    ['Content-Type', csv ? 'text/csv' : 'application/x-ndjson'],
  ]
  if (random.oneIn(10)) {
    headers.push(['Content-Encoding', 'gzip'])
    body = Buffer.from(mutated(random, gzipSync(body, { level: 1 })))
  }
  const target = `/subscriptions/import${random.pick(['', '', '?dry_run=true', '?mail=send', '?map=email:x', '?mail=x'])}`
  const bytes = requestBytes({ method: 'POST', target, headers, body })
  return { kind: 'import', number, bytes, method: 'POST', requestId, expected: undefined }
}

type Generator = (random: Random, around: Surroundings, number: number) => Input

const GENERATORS: Readonly<Record<Kind, Generator>> = {
  body: bodyInput,
  headers: headersInput,
  import: importInput,
  link: linkInput,
  stream: streamInput,
  target: targetInput,
  token: tokenInput,
}

/** Of a hundred inputs. Streams need a connection each, and imports are many inputs in one. */
const SHARES: Readonly<Record<Kind, number>> = {
  body: 27,
  headers: 17,
  import: 4,
  link: 8,
  stream: 14,
  target: 16,
  token: 14,
}

const DECK = Object.entries(SHARES).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind))

/** The input with this number: always the same for a seed, whatever was generated before. */
export const generate = (seed: number, number: number, around: Surroundings): Input => {
  const random = new Random(seed, number)
  return GENERATORS[random.pick(DECK)](random, around, number)
}
