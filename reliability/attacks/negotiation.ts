import type { Socket } from 'node:net'
import type { Attack, Figure } from './attack.ts'
import { opened, request } from './raw.ts'
import { Target } from './target.ts'

const MOST_MILLISECONDS = 1
/** Requests of one kind in a turn; the clock of processor time ticks every 10 ms. */
const TIMES = 100
const TURNS = 3
const WARM_UP = 300
/** Below the 16 KiB that all header fields may have together. */
const LONG = 15_000

const long = (piece: string): string => piece.repeat(LONG / piece.length)

/** Header fields that take long to read for somebody who reads them carelessly. */
const HOSTILE: Readonly<Record<string, string>> = {
  'Accept, commas in a quoted parameter': `Accept: text/html;a="${long(',')}"`,
  'Accept, many types': `Accept: ${long('text/a,')}text/html`,
  'Accept, many parameters': `Accept: text/html${long(';a')}`,
  'Accept, many weights': `Accept: ${long('a/b;q=0.1,')}text/html`,
  'Accept, open quotation marks': `Accept: ${long('a/b;c="\\')}`,
  'Accept-Language, many tags': `Accept: text/html\r\nAccept-Language: ${long('a-b-c-d,')}en`,
  'Accept-Language, one long tag': `Accept: text/html\r\nAccept-Language: ${long('a-')}a`,
  'Accept-Encoding, many codings': `Accept-Encoding: ${long('a;q=0.1,')}gzip`,
  'If-None-Match, many tags': `If-None-Match: ${long('"",')}"a"`,
  'If-None-Match, weak tags': `If-None-Match: ${long('W/"a", ')}"a"`,
  'If-None-Match, open quotation mark': `If-None-Match: "${long(' ')}`,
  'If-Match, many tags': `If-Match: ${long('"",')}"a"`,
  'If-Modified-Since, long': `If-Modified-Since: ${long('Mon, ')}`,
  'Cookie, many': `Cookie: ${long('a=b; ')}c=d`,
  'Authorization, a long token': `Authorization: Bearer ${long('a.b.c')}`,
  'Authorization, dots': `Authorization: Bearer ${long('.')}`,
  'Authorization, spaces': `Authorization: Bearer${long(' ')}a`,
  'X-Forwarded-For, many addresses': `X-Forwarded-For: ${long('1,')}1.2.3.4`,
  'X-Forwarded-For, IPv6': `X-Forwarded-For: ${long('::1,')}::1`,
  'Content-Type, many parameters': `Content-Type: application/json${long(';a=b')}`,
  'Content-Type, a quoted parameter': `Content-Type: application/json;charset="${long('\\"')}"`,
  'Content-Encoding, many': `Content-Encoding: ${long('gzip,')}gzip`,
  'Range, many': `Range: bytes=${long('0-1,')}5-6`,
  'Cache-Control, spaces': `Cache-Control: ${long(', ')}a`,
  'Origin, long': `Origin: https://${long('a.')}example`,
  'X-Request-Id, long': `X-Request-Id: ${long('a')}`,
  'TE, many': `TE: ${long('trailers,')}`,
  'Connection, many': `Connection: ${long('a,')}keep-alive`,
  'many fields': long('a:\r\n').trim(),
}

const CHEAP = 'X: x'

/** The same request with any field; those with a body are refused for their rate. */
const requestsOf = (admin: string): Readonly<Record<string, (field: string) => Buffer>> => ({
  'GET /subscribe': (field) => request('HEAD /subscribe', [field]),
  'GET /openapi.json': (field) => request('HEAD /openapi.json', [field]),
  'GET /users': (field) => request('HEAD /users', [...(/^Auth/.test(field) ? [] : [`Authorization: ${admin}`]), field]),
  'GET /confirm/{token}': (field) => request('HEAD /confirm/x', [field]),
  'POST /subscribe': (field) => request('POST /subscribe', [field]),
  'OPTIONS /subscribe': (field) => request('OPTIONS /subscribe', ['Access-Control-Request-Method: POST', field]),
})

/** One connection, opened again where an answer closes it. */
class Asker {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  async ask(bytes: Buffer): Promise<void> {
    if (this.#socket === undefined || this.#socket.destroyed || this.#socket.readableEnded)
      this.#socket = await opened(this.#port)
    const socket = this.#socket
    socket.write(bytes)
    const head = await firstPiece(socket)
    // The next request must not meet a connection that is about to close.
    if (head === undefined || /^connection: close\r$/im.test(head)) socket.destroy()
  }

  close(): void {
    this.#socket?.destroy()
  }
}

/** Undefined where the connection closes instead. */
const firstPiece = (socket: Socket): Promise<string | undefined> =>
  new Promise((resolve) => {
    const found = (piece?: Buffer): void => {
      socket.off('data', received).off('close', closed)
      resolve(piece?.toString('latin1'))
    }
    const received = (piece: Buffer): void => found(piece)
    const closed = (): void => found()
    socket.on('data', received).on('close', closed)
  })

/** Milliseconds of a processor for each of some equal requests. */
const costOf = async (target: Target, asker: Asker, bytes: Buffer): Promise<number> => {
  const { busy } = target
  for (let n = 0; n < TIMES; n++) await asker.ask(bytes)
  return ((target.busy - busy) * 1_000) / TIMES
}

/** By how much the hostile request is dearer, in the cheapest turn: other work of the process only adds. */
const extraCost = async (target: Target, asker: Asker, make: (field: string) => Buffer, field: string) => {
  const costs: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const usual = await costOf(target, asker, make(CHEAP))
    costs.push((await costOf(target, asker, make(field))) - usual)
    // Most fields are far from the bound.
    if (Math.min(...costs) < MOST_MILLISECONDS / 2) break
  }
  return Math.max(0, Math.min(...costs))
}

/** Header fields that cost processor time. */
export const negotiation: Attack = {
  name: 'negotiation',
  stores: ['sqlite'],
  run: async (context) => {
    await using target = await Target.open(context, {
      RATE_LIMIT: '3/1h',
      TRUST_PROXY: '1',
      CORS_ORIGINS: 'https://a.example',
    })
    const asker = new Asker(target.port)
    const figures: Figure[] = []
    for (const [name, make] of Object.entries(requestsOf(`Bearer ${await target.token('root', 'admin')}`))) {
      for (let n = 0; n < WARM_UP; n++) await asker.ask(make(CHEAP))
      let worst = { milliseconds: 0, field: '' }
      for (const [field, text] of Object.entries(HOSTILE)) {
        const milliseconds = await extraCost(target, asker, make, text)
        if (milliseconds > worst.milliseconds) worst = { milliseconds, field }
      }
      figures.push({
        ...{
          name: `dearest header field for ${name}`,
          figure: worst.milliseconds,
          bound: MOST_MILLISECONDS,
          unit: 'ms',
        },
        note: `${worst.field}; ${Object.keys(HOSTILE).length} fields of 15 KB`,
      })
    }
    asker.close()
    return figures
  },
}
