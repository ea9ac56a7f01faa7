import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type AddressHash,
  type FeedName,
  type Readers,
  type Subscription,
  type SubscriptionStatus,
  searchWords,
  type UnitOfWork,
} from '@rollcall/core'
import { migratePostgres, openPostgresStorage } from '@rollcall/storage-sql/postgres'
import { migrateSqlite, openSqliteStorage } from '@rollcall/storage-sql/sqlite'
import pg from 'pg'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'

// How long it takes to find among many subscriptions on both stores, and what a row costs that can be found.
// Usage: node scripts/pinned-node.cjs bench/finding/measure-finding.ts [subscriptions] [sqlite|postgres]

const ROWS = Number(process.argv[2] ?? 1_000_000)
const ONLY = process.argv[3]
/** As many rows are written once more with what finds them left out. */
const PRICED = 20_000
const AT_ONCE = 500
const ROUNDS = 3

interface Store {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  /** Runs a statement beside the store. */
  readonly run: (sql: string) => Promise<void>
  readonly close: () => Promise<void>
}

const openSqlite = async (): Promise<Store> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-finding-'))
  const file = path.join(folder, 'rollcall.db')
  await migrateSqlite(file)
  const storage = await openSqliteStorage({ file })
  const close = async () => {
    await storage.close()
    rmSync(folder, { recursive: true })
  }
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const run = async (sql: string) => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  return { ...storage, run, close }
}

const openPostgres = async (): Promise<Store> => {
  const server = await startPostgres()
  await migratePostgres(server.url)
  const storage = await openPostgresStorage({ url: server.url })
  const run = async (sql: string) => {
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  const close = async () => {
    await storage.close()
    await server.stop()
  }
  return { ...storage, run, close }
}

/** Numbers that are the same in every run, from 0 to below 1. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}
const draw = numbers(4_711)
/** The first of these far more often than the last. */
const some = <Item>(all: readonly Item[]): Item => all[Math.floor(all.length * draw() ** 3)] as Item

const FIRST =
  'Maria Anna Brian Ada José Łukasz Zoë Søren James Mary John Linda Wei Fatima Ivan Olga Pedro Ines Kofi Aiko Renée Björn Chloé Nuno Yusuf Leila Hannah Tom Sam Max Eva Lea Mia Ben Leo Paul Emil Ida Elin Nora Omar Sara Amir Noor Juan Luis Rosa Elsa Hugo Otto'.split(
    ' ',
  )
const SYLLABLES =
  'ba ker son mül ler schmidt ov na berg ström kow ski gar cía lo pez mar ti nez smi th wil den hof'.split(' ')
const LAST = Array.from({ length: 20_000 }, () => {
  const name = Array.from({ length: 2 + Math.floor(draw() * 3) }, () => some(SYLLABLES)).join('')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
})
const COMPANIES = Array.from({ length: 20_000 }, (_, n) => `company-${n}.example`)
const DOMAINS = ['gmail.com', 'gmail.com', 'gmail.com', 'gmail.com', 'outlook.com', 'yahoo.com', 'web.example']
const FEEDS = ['default', 'weekly', 'rare'] as FeedName[]
const STATUSES: readonly SubscriptionStatus[] = ['confirmed', 'confirmed', 'confirmed', 'pending', 'ended']
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\P{ASCII}/gu, '')
    .toLowerCase()

const subscription = (n: number): Subscription => {
  const [first, last] = [some(FIRST), some(LAST)]
  const domain = draw() < 0.7 ? some(DOMAINS) : some(COMPANIES)
  const email = `${plain(first)}.${plain(last)}${n % 3 ? n : ''}.${n}@${domain}`
  const status = some(STATUSES)
  return {
    ...{ id: ((n * 25_214_903_917) % 281_474_976_710_656) + 1, email, addressKey: email },
    address: hash('md5', email) as AddressHash,
    feed: (n % 10_000 === 0 ? FEEDS[2] : FEEDS[n % 2]) as FeedName,
    name: n % 5 === 0 ? '' : `${first} ${last}`,
    ...{
      locale: undefined,
      status,
      episode: '0123456789abcdef',
      createdAt: n,
      endedAt: status === 'ended' ? n : undefined,
    },
    confirmedAt: status === 'confirmed' ? n : undefined,
    expiresAt: status === 'pending' ? Number.MAX_SAFE_INTEGER : undefined,
    lastMail: undefined,
  }
}

/** Microseconds a row: of the unit in the middle, as others may work on the machine. */
const fill = async ({ unitOfWork }: Store, from: number, to: number): Promise<number> => {
  const times: number[] = []
  for (let first = from; first < to; first += AT_ONCE) {
    const began = performance.now()
    await unitOfWork.run(async ({ subscriptions }) => {
      const all = Array.from({ length: Math.min(AT_ONCE, to - first) }, (_, n) => subscription(first + n))
      await Promise.all(
        all.map(({ id, feed, addressKey }) =>
          subscriptions.locate({ feed, addressKey, fingerprint: `${id}`, candidate: () => id }),
        ),
      )
      for (const one of all) await subscriptions.put(one)
    })
    times.push(((performance.now() - began) * 1_000) / AT_ONCE)
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0
}

const QUERIES: Readonly<Record<string, () => string>> = {
  'an address': () => subscription(Math.floor(draw() * ROWS)).email,
  'the beginning of an address': () => some(FIRST).toLowerCase().slice(0, 3),
  'one letter': () => 'abcdefghijklmnopqrstuvwxyz'.charAt(Math.floor(draw() * 26)),
  'two letters': () => some(LAST).slice(0, 2),
  'a first name': () => some(FIRST),
  'a last name': () => some(LAST),
  'both names': () => `${some(FIRST)} ${some(LAST)}`,
  'a domain that most have': () => 'gmail.com',
  'a domain of some': () => some(COMPANIES),
  'a name and a domain': () => `${some(FIRST)} ${some(COMPANIES)}`,
  'a name and a domain that most have': () => `${some(LAST)} gmail.com`,
  'two words that many have': () => `${some(FIRST)} gmail`,
  'what none has': () => 'qxqxqx',
}

const FILTERS = [
  {},
  { feed: FEEDS[0] },
  { status: 'pending' as const },
  { feed: FEEDS[1], status: 'ended' as const },
  { feed: FEEDS[2] },
]

const domainNames = { toAscii: () => undefined }

/** Milliseconds of each search, first and second pages in both orders. */
const search = async ({ readers }: Store, query: () => string): Promise<number[]> => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const filter of FILTERS)
      for (const downwards of [false, true]) {
        const words = searchWords(query(), domainNames)
        let after: number | undefined = downwards ? Number.MAX_SAFE_INTEGER : 0
        for (let page = 0; page < 2 && after !== undefined; page++) {
          const began = performance.now()
          const { next }: { next: number | undefined } = await readers.subscriptions.list({
            ...{ ...filter, words, downwards, after, limit: 50 },
          })
          times.push(performance.now() - began)
          after = next
        }
      }
  return times
}

const at = (times: readonly number[], share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0).toFixed(1).padStart(7)

const LEFT_OUT = {
  sqlite: 'DROP TRIGGER subscription_terms_added; DROP INDEX subscription_address',
  postgres: 'DROP TRIGGER subscription_terms_added ON subscription; DROP INDEX subscription_address',
}

for (const [name, open] of Object.entries({ sqlite: openSqlite, postgres: openPostgres })) {
  if (ONLY !== undefined && ONLY !== name) continue
  const store = await open()
  try {
    console.log(`${name}: ${ROWS} subscriptions, each written in ${(await fill(store, 1, ROWS)).toFixed(0)} µs`)
    await store.run(name === 'sqlite' ? 'ANALYZE' : 'VACUUM ANALYZE')
    console.log('  milliseconds of a page of 50'.padEnd(40), '    p50     p95     max')
    const all: number[] = []
    for (const [what, query] of Object.entries(QUERIES)) {
      const times = await search(store, query)
      all.push(...times)
      console.log(`  ${what}`.padEnd(40), at(times, 0.5), at(times, 0.95), at(times, 1))
    }
    console.log('  all'.padEnd(40), at(all, 0.5), at(all, 0.95), at(all, 1))
    const found = await fill(store, ROWS, ROWS + PRICED)
    await store.run(LEFT_OUT[name as keyof typeof LEFT_OUT])
    const notFound = await fill(store, ROWS + PRICED, ROWS + 2 * PRICED)
    console.log(`  a row ${found.toFixed(0)} µs; without terms and the index of addresses ${notFound.toFixed(0)} µs`)
  } finally {
    await store.close()
  }
}
