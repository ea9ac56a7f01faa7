import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Mails } from '../target/mails.ts'
import type { Row } from '../target/rows.ts'
import { Target } from '../target/target.ts'
import { openedMany, request, statusOf } from '../target/wire.ts'
import type { Attack } from './attack.ts'

const BOMBS = 500
const MOST_MEGABYTES = 50
const MOST_MILLISECONDS = 5
const PLAIN = Buffer.alloc(16 * 2 ** 20, 'a')
const VICTIM = 'bombed@example.com'

/** The largest content that fits into a short body, at the best ratio of each coding. */
const BOMB_OF: Readonly<Record<string, () => Buffer>> = {
  // The widest window without an extension: 16 MiB of memory for a body of some fifty bytes.
  br: () =>
    brotliCompressSync(PLAIN, {
      params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 5 },
    }),
  zstd: () => zstdCompressSync(PLAIN),
  gzip: () => gzipSync(PLAIN),
  deflate: () => deflateSync(PLAIN),
  'gzip, gzip': () => gzipSync(gzipSync(PLAIN)),
}

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const JSON_TYPE = 'Content-Type: application/json'

/** Wherever a body is taken whole: of strangers, of owners of a link, and of an administrator. */
const placesOf = (token: string, admin: string): readonly (readonly [line: string, ...fields: string[]])[] => [
  ['POST /subscribe', FORM],
  ['POST /preferences', FORM],
  ['POST /confirm/x', FORM],
  [`POST /confirm/${token}`, FORM],
  ['PUT /users/bomb', JSON_TYPE],
  ...['users', 'feeds', 'webhooks'].map((kind) => [`PUT /${kind}/bomb`, JSON_TYPE, admin] as const),
]

const isRefusal = (status: number): boolean => status >= 400 && status < 500

/** Small bodies that are large once they are decompressed. */
export const decompression: Attack = {
  name: 'decompression',
  stores: ['sqlite'],
  run: async (context) => {
    await using mails = await Mails.open()
    await using target = await Target.open(context, { SMTP_URL: mails.url })
    await target.signUp(VICTIM)
    const places = placesOf(
      await mails.comingToken(VICTIM, 'confirm'),
      `Authorization: Bearer ${await target.token('root', 'admin')}`,
    )
    const rows: Row[] = []
    for (const [coding, bomb] of Object.entries(BOMB_OF)) {
      const [largest, dearest] = [
        { value: 0, at: '' },
        { value: 0, at: '' },
      ]
      const odd: string[] = []
      for (const [line, ...fields] of places) {
        // What one attack has left in the heap must not count for the next, nor hide it.
        await target.stop()
        await target.start()
        const sockets = await openedMany(target.port, BOMBS)
        const bytes = request(line, [...fields, `Content-Encoding: ${coding}`, 'Connection: close'], bomb())
        const { busy } = target
        const { result, megabytes } = await target.growthDuring(() =>
          Promise.all(sockets.map((socket) => statusOf(socket, bytes))),
        )
        const milliseconds = ((target.busy - busy) * 1_000) / BOMBS
        if (megabytes >= largest.value) Object.assign(largest, { value: megabytes, at: line })
        if (milliseconds >= dearest.value) Object.assign(dearest, { value: milliseconds, at: line })
        odd.push(...new Set(result.filter((status) => !isRefusal(status)).map((status) => `${line}: ${status}`)))
      }
      const most = (figure: string, { value, at }: typeof largest, bound: number, unit: string): Row => ({
        ...{ figure: `${figure}, ${coding}`, found: value, bound, unit, note: `most at ${at}` },
      })
      rows.push(
        most(`memory, ${BOMBS} bodies at once`, largest, MOST_MEGABYTES, 'MB'),
        most('processor time of a body', dearest, MOST_MILLISECONDS, 'ms'),
        {
          figure: `places that do not refuse it, ${coding}`,
          found: odd.length,
          bound: 0,
          note: odd.join('; ') || undefined,
        },
      )
    }
    return rows
  },
}
