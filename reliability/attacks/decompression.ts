import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Mailbox } from '../ledger/mailbox.ts'
import { Relay } from '../relay/relay.ts'
import type { Attack, AttackContext, Figure } from './attack.ts'
import { askOnce, openedMany, request, statusOf } from './raw.ts'
import { Target } from './target.ts'
import { waitUntil } from './wait-until.ts'

const BOMBS = 500
const MOST_MEGABYTES = 50
const MEBIBYTE = 2 ** 20
const PLAIN = Buffer.alloc(16 * MEBIBYTE, 'a')
const FORM = 'Content-Type: application/x-www-form-urlencoded'
const EMAIL = 'bombed@example.com'

/** The largest content that fits into a short body, at the best ratio of each coding. */
const bombs = (): Readonly<Record<string, Buffer>> => {
  // The widest window without an extension: 16 MiB of memory for a body of some fifty bytes.
  const brotli = { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return {
    br: brotliCompressSync(PLAIN, brotli),
    zstd: zstdCompressSync(PLAIN),
    gzip: gzipSync(PLAIN),
    deflate: deflateSync(PLAIN),
    'gzip, gzip': gzipSync(gzipSync(PLAIN)),
  }
}

interface Place {
  readonly name: string
  /** Read as a stream, of any length, and for administrators only: each takes as much memory as it needs. */
  readonly isStream?: boolean
  readonly line: string
  readonly fields: readonly string[]
}

/** Wherever a body is taken: of strangers, of owners of a link, and of an administrator. */
const placesOf = (links: Readonly<Record<string, string>>, admin: string): readonly Place[] => {
  const post = (name: string, path: string): Place => ({ name, line: `POST ${path}`, fields: [FORM] })
  const json = ['Content-Type: application/json']
  const administrator = [`Authorization: Bearer ${admin}`]
  return [
    post('/subscribe', '/subscribe'),
    post('/preferences', '/preferences'),
    ...Object.entries(links).flatMap(([purpose, token]) => [
      post(`/${purpose} by a made-up link`, `/${purpose}/x`),
      post(`/${purpose} by a genuine link`, `/${purpose}/${token}`),
    ]),
    { name: 'PUT of a user, nobody', line: 'PUT /users/bomb', fields: json },
    ...['users', 'feeds', 'webhooks'].map(
      (kind): Place => ({ name: `PUT in /${kind}`, line: `PUT /${kind}/bomb`, fields: [...json, ...administrator] }),
    ),
    {
      name: 'an import',
      isStream: true,
      line: 'POST /subscriptions/import',
      fields: ['Content-Type: text/csv', ...administrator],
    },
  ]
}

/** Links that are good on every service with this secret and database: the places are attacked on one after another. */
const linksOf = async (target: Target, mailbox: Mailbox): Promise<Record<string, string>> => {
  const form = (path: string) =>
    askOnce(target.port, `POST ${path}`, [FORM], new URLSearchParams({ email: EMAIL }).toString())
  await form('/subscribe')
  await waitUntil(() => mailbox.of(EMAIL).length > 0, 'that the mail comes')
  const links = ['confirm', 'refuse', 'unsubscribe'] as const
  return Object.fromEntries(links.map((link) => [link, mailbox.token(EMAIL, link) ?? '']))
}

/** Whether the answer shows that the body was not used. One-click unsubscribing ignores any body. */
const isRefused = (place: Place, status: number): boolean =>
  (status >= 400 && status < 500) || (status === 200 && place.line.startsWith('POST /unsubscribe/'))

const bombed = async (context: AttackContext, coding: string, bomb: Buffer): Promise<readonly Figure[]> => {
  const mailbox = new Mailbox()
  await using relay = await Relay.open((mail) => mailbox.add(mail))
  await using target = await Target.open(context, { SMTP_URL: relay.url })
  const places = placesOf(await linksOf(target, mailbox), await target.token('root', 'admin'))
  const odd: string[] = []
  let worst = { megabytes: 0, place: '' }
  let streamed = 0
  for (const place of places) {
    // What one attack has left in the heap must not count for the next, nor hide it.
    await target.stop()
    await target.start()
    const sockets = await openedMany(target.port, BOMBS)
    const fields = [...place.fields, `Content-Encoding: ${coding}`, 'Connection: close']
    const bytes = request(place.line, fields, bomb)
    const { result, megabytes } = await target.growthDuring(() =>
      Promise.all(sockets.map((socket) => statusOf(socket, bytes))),
    )
    if (place.isStream) streamed = megabytes
    else if (megabytes > worst.megabytes) worst = { megabytes, place: place.name }
    const statuses = [...new Set(result)].filter((status) => !isRefused(place, status))
    if (statuses.length > 0) odd.push(`${place.name}: ${statuses.join(', ')}`)
  }
  return [
    {
      ...{
        name: `memory, ${BOMBS} bodies at once, ${coding}`,
        figure: worst.megabytes,
        bound: MOST_MEGABYTES,
        unit: 'MB',
      },
      note: `most at ${worst.place}; ${places.length} places, ${bomb.length} bytes a body`,
    },
    {
      name: `memory, ${BOMBS} imports of an administrator at once, ${coding}`,
      figure: streamed,
      bound: undefined,
      unit: 'MB',
    },
    {
      ...{ name: `places that do not refuse it, ${coding}`, figure: odd.length, bound: 0, unit: '' },
      note: odd.length > 0 ? odd.join('; ') : undefined,
    },
  ]
}

/** Small bodies that are large once they are decompressed. */
export const decompression: Attack = {
  name: 'decompression',
  stores: ['sqlite'],
  run: async (context) => {
    const figures: Figure[] = []
    for (const [coding, bomb] of Object.entries(bombs())) figures.push(...(await bombed(context, coding, bomb)))
    return figures
  },
}
