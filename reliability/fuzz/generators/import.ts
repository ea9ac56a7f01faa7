import { gzipSync } from 'node:zlib'
import type { Random } from '../../random.ts'
import type { RequestInput, Surroundings } from '../input.ts'
import { mutated } from '../mutate.ts'
import { requestBytes } from './request.ts'
import { anyAddress, anyFeed, anyName, anyText, anyTime } from './values.ts'

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
export const importInput = (random: Random, around: Surroundings, number: number): RequestInput => {
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
