import type { Row } from '../shared/report.ts'
import { Target } from '../shared/target.ts'
import { KeptConnection, request } from '../shared/wire.ts'
import type { Attack } from './attacks.ts'

const MOST_MILLISECONDS = 1
/** Requests of one kind in a turn; the clock of processor time ticks every 10 ms. */
const TIMES = 100
const TURNS = 3
const WARM_UP = 300
/** Below the 16 KiB that all header fields may have together. */
const LONG = 15_000

/** Header fields that take long to read for somebody who reads them carelessly: what is repeated, between two ends. */
const HOSTILE: readonly (readonly [begin: string, repeated: string, end?: string])[] = [
  ['Accept: text/html;a="', ',', '"'],
  ['Accept: ', 'text/a,', 'text/html'],
  ['Accept: text/html', ';a'],
  ['Accept: ', 'a/b;q=0.1,', 'text/html'],
  ['Accept: ', 'a/b;c="\\'],
  ['Accept: text/html\r\nAccept-Language: ', 'a-b-c-d,', 'en'],
  ['Accept: text/html\r\nAccept-Language: ', 'a-', 'a'],
  ['Accept-Encoding: ', 'a;q=0.1,', 'gzip'],
  ['If-None-Match: ', '"",', '"a"'],
  ['If-None-Match: ', 'W/"a", ', '"a"'],
  ['If-None-Match: "', ' '],
  ['If-Match: ', '"",', '"a"'],
  ['If-Modified-Since: ', 'Mon, '],
  ['Cookie: ', 'a=b; ', 'c=d'],
  ['Authorization: Bearer ', 'a.b.c'],
  ['Authorization: Bearer ', '.'],
  ['Authorization: Bearer', ' ', 'a'],
  ['X-Forwarded-For: ', '1,', '1.2.3.4'],
  ['X-Forwarded-For: ', '::1,', '::1'],
  ['Content-Type: application/json', ';a=b'],
  ['Content-Type: application/json;charset="', '\\"', '"'],
  ['Content-Encoding: ', 'gzip,', 'gzip'],
  ['Range: bytes=', '0-1,', '5-6'],
  ['Cache-Control: ', ', ', 'a'],
  ['Origin: https://', 'a.', 'example'],
  ['X-Request-Id: ', 'a'],
  ['TE: ', 'trailers,'],
  ['Connection: ', 'a,', 'keep-alive'],
  ['', 'a:\r\n', 'b:'],
]

const fieldOf = ([begin, repeated, end = '']: (typeof HOSTILE)[number]): string =>
  `${begin}${repeated.repeat(LONG / repeated.length)}${end}`

/** What is asked, with any field; those with a body are refused for their rate. */
const requestsOf = (admin: string): readonly (readonly [line: string, ...fields: string[]])[] => [
  ['HEAD /subscribe'],
  ['HEAD /openapi.json'],
  ['HEAD /users', `Authorization: Bearer ${admin}`],
  ['HEAD /confirm/x'],
  ['POST /subscribe'],
  ['OPTIONS /subscribe', 'Access-Control-Request-Method: POST'],
]

/** Header fields that cost processor time. */
export const negotiation: Attack = {
  name: 'negotiation',
  about: 'header fields that cost processor time',
  stores: ['sqlite'],
  run: async (context) => {
    const settings = { RATE_LIMIT: '3/1h', TRUST_PROXY: '1', CORS_ORIGINS: 'https://a.example' }
    await using target = await Target.open(context, settings)
    const connection = new KeptConnection(target.port)
    /** Milliseconds of a processor for each of some equal requests. */
    const costOf = async (bytes: Buffer): Promise<number> => {
      const { busy } = target
      for (let n = 0; n < TIMES; n++) await connection.ask(bytes)
      return ((target.busy - busy) * 1_000) / TIMES
    }
    const rows: Row[] = []
    for (const [line, ...fields] of requestsOf(await target.token('root', 'admin'))) {
      const usual = request(line, [...fields, 'X: x'])
      for (let n = 0; n < WARM_UP; n++) await connection.ask(usual)
      const worst = { extra: 0, field: '' }
      for (const hostile of HOSTILE) {
        const own = fields.filter((field) => !(hostile[0].startsWith('Auth') && field.startsWith('Auth')))
        const bytes = request(line, [...own, fieldOf(hostile)])
        // The cheapest turn: other work of the process only adds. Most fields are far from the bound.
        let extra = Number.POSITIVE_INFINITY
        for (let turn = 0; turn < TURNS && extra > MOST_MILLISECONDS / 2; turn++)
          extra = Math.min(extra, -(await costOf(usual)) + (await costOf(bytes)))
        if (extra > worst.extra) Object.assign(worst, { extra, field: hostile.join('...') })
      }
      const note = `${worst.field}; ${HOSTILE.length} fields of 15 KB`
      rows.push({
        figure: `dearest header field for ${line}`,
        found: worst.extra,
        bound: MOST_MILLISECONDS,
        unit: 'ms',
        note,
      })
    }
    connection.close()
    return rows
  },
}
