import path from 'node:path'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'
import { Mailbox } from '../../proving/shared/mailbox.ts'
import { Relay } from '../../proving/shared/relay.ts'
import type { Attack, AttackContext, Figure } from './attack.ts'
import { askOnce, openedMany, request, statusOf } from './raw.ts'
import { Target } from './target.ts'
import { waitUntil } from './wait-until.ts'

const BOMBS = 500
const MOST_MEGABYTES = 50
const MOST_MILLISECONDS = 5
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
  const post = (name: string, target: string): Place => ({ name, line: `POST ${target}`, fields: [FORM] })
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

/** One of each kind, from the mails to one address. */
const linksOf = async (target: Target, mailbox: Mailbox): Promise<Record<string, string>> => {
  const ask = (place: string) =>
    askOnce(target.port, `POST ${place}`, [FORM], new URLSearchParams({ email: EMAIL }).toString())
  const mails = (count: number) => waitUntil(() => mailbox.of(EMAIL).length >= count, `mail ${count}`)
  await ask('/subscribe')
  await mails(1)
  const links = (['confirm', 'refuse', 'unsubscribe'] as const).map((link) => [link, mailbox.token(EMAIL, link) ?? ''])
  await target.stop()
  // Else the next mail would be held back for ten minutes.
  const database = new Connection(path.join(target.home.data, 'rollcall.db'))
  database.exec('DELETE FROM mail_cap')
  database.close()
  await target.start()
  await ask('/preferences')
  await mails(2)
  const text = mailbox.of(EMAIL)[1]?.text.replaceAll('=\r\n', '') ?? ''
  const preferences = /\/preferences\/([\w.-]*\w)/.exec(text)?.[1]
  if (preferences === undefined) throw new Error('there is no link to the preferences')
  return Object.fromEntries([...links, ['preferences', preferences]])
}

/** Whether the answer shows that the body was not used. One-click unsubscribing ignores any body. */
const isRefused = (place: Place, status: number): boolean =>
  (status >= 400 && status < 500) || (status === 200 && place.line.startsWith('POST /unsubscribe/'))

interface Hit {
  readonly place: Place
  readonly megabytes: number
  /** Of a processor, for each body. */
  readonly milliseconds: number
  /** Other than refusals. */
  readonly odd: readonly number[]
}

const hit = async (target: Target, place: Place, coding: string, bomb: Buffer): Promise<Hit> => {
  // What one attack has left in the heap must not count for the next, nor hide it.
  await target.stop()
  await target.start()
  const sockets = await openedMany(target.port, BOMBS)
  const bytes = request(place.line, [...place.fields, `Content-Encoding: ${coding}`, 'Connection: close'], bomb)
  const { busy } = target
  const all = () => Promise.all(sockets.map((socket) => statusOf(socket, bytes)))
  const { result, megabytes } = await target.growthDuring(all)
  return {
    ...{ place, megabytes, milliseconds: ((target.busy - busy) * 1_000) / BOMBS },
    odd: [...new Set(result)].filter((status) => !isRefused(place, status)),
  }
}

const bombed = async (context: AttackContext, coding: string, bomb: Buffer): Promise<readonly Figure[]> => {
  const mailbox = new Mailbox()
  await using relay = await Relay.open((mail) => mailbox.add(mail))
  await using target = await Target.open(context, { SMTP_URL: relay.url })
  const hits: Hit[] = []
  for (const place of placesOf(await linksOf(target, mailbox), await target.token('root', 'admin')))
    hits.push(await hit(target, place, coding, bomb))
  const most = (of: readonly Hit[], figure: (one: Hit) => number): Hit | undefined =>
    of.toSorted((one, other) => figure(other) - figure(one))[0]
  const short = hits.filter(({ place }) => !place.isStream)
  const [largest, dearest] = [
    most(short, ({ megabytes }) => megabytes),
    most(short, ({ milliseconds }) => milliseconds),
  ]
  const streamed = hits.find(({ place }) => place.isStream)
  const odd = hits.filter((one) => one.odd.length > 0).map((one) => `${one.place.name}: ${one.odd.join(', ')}`)
  return [
    {
      ...{ name: `memory, ${BOMBS} bodies at once, ${coding}`, figure: largest?.megabytes ?? Number.NaN },
      ...{ bound: MOST_MEGABYTES, unit: 'MB' },
      note: `most at ${largest?.place.name}; ${short.length} places, ${bomb.length} bytes a body`,
    },
    {
      ...{ name: `processor time of a body, ${coding}`, figure: dearest?.milliseconds ?? Number.NaN },
      ...{ bound: MOST_MILLISECONDS, unit: 'ms', note: `most at ${dearest?.place.name}` },
    },
    {
      ...{ name: `places that do not refuse it, ${coding}`, figure: odd.length, bound: 0, unit: '' },
      note: odd.length > 0 ? odd.join('; ') : undefined,
    },
    {
      ...{ name: `memory, ${BOMBS} imports of an administrator at once, ${coding}` },
      ...{ figure: streamed?.megabytes ?? Number.NaN, bound: undefined, unit: 'MB' },
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
