import { chmod, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { type Cores, run } from '../command.ts'
import { answered, generate, type LoadReport } from '../load.ts'
import { openSink } from '../mails/sink.ts'
import type { Options } from '../options.ts'
import { migrate, rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import { type Spread, spread } from '../statistics.ts'
import { signUps } from '../traffic.ts'
import { query } from './query.ts'

const FLOOR = path.join(import.meta.dirname, '../floors/pooled-nodemailer.ts')
const BACKLOG = 50_000
const SETTLING = 2_000

interface DeliveryOrder {
  /** A database with its tables and nothing else. */
  readonly url: string
  readonly scratch: string
  readonly cores: Cores
  readonly seconds: number
}

/** Mails a second: nodemailer's own pool with nothing around it, and one instance with a backlog on PostgreSQL. */
export interface Delivery {
  readonly bare: number
  readonly rate: number
}

/** @throws {Error} a mail was lost, or sent twice */
const measureDelivery = async ({ url, scratch, cores, seconds }: DeliveryOrder): Promise<Delivery> => {
  const client = new pg.Client(url)
  await client.connect()
  const folder = path.join(scratch, 'delivery')
  await mkdir(folder)
  try {
    for (const statement of OWE) await client.query(statement, [BACKLOG, Date.now(), Date.now() + 604_800_000])
    await using sink = await openSink('keep', cores.load)
    const bare = Number(await run(process.execPath, [FLOOR, sink.url, `${seconds}`], undefined))
    const { taken: before } = await sink.look()
    await using server = await Server.start({
      ...(await rollcall(folder, { DATABASE_URL: url, SMTP_URL: sink.url })),
      core: undefined,
    })
    await sleep(SETTLING)
    const [began, { taken: first }] = [performance.now(), await sink.look()]
    await sleep(seconds * 1_000)
    const rate = (((await sink.look()).taken - first) * 1_000) / (performance.now() - began)
    await server.stop('SIGTERM')
    const taken = (await sink.look()).taken - before
    const { rows } = await client.query<{ left: number }>('SELECT count(*)::int AS left FROM outbox')
    if (taken + Number(rows[0]?.left) !== BACKLOG)
      throw new Error(`${taken} mails were taken, ${rows[0]?.left} are left of ${BACKLOG}`)
    return { bare, rate }
  } finally {
    await client.end()
    await rm(folder, { recursive: true })
  }
}

const OWE = [
  `INSERT INTO subscription (id, feed, email, address_key, address, name, terms, status, episode, created_at, expires_at)
    SELECT n, 'default', 'owed.' || n || '@example.com', 'owed.' || n || '@example.com', md5(n::text), '', '[]', 'p', md5(n::text),
      $2::bigint, $3::bigint FROM generate_series(1, $1::bigint) AS n`,
  `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, expires_at)
    SELECT 'confirmation', id, md5(email), md5(email) || '@localhost', $2::bigint, $2::bigint, $3::bigint
    FROM subscription ORDER BY id LIMIT $1::bigint`,
]

/** Sign-ups a second on PostgreSQL. */
export interface PostgresFigures {
  /** Of the server that was measured against. */
  readonly version: string
  /** `pg` alone on ten connections, without HTTP. */
  readonly alone: Spread
  readonly one: Spread
  /** Two instances on one database, together. */
  readonly two: Spread
  /** Milliseconds, of one instance. */
  readonly p99: Spread
  /** One instance beside `pg` alone, and two beside one, each in the same turn. */
  readonly ofAlone: Spread
  readonly ofOne: Spread
  /** Mails a second: nodemailer alone, and one instance with a backlog. */
  readonly bareMails: Spread
  readonly mails: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

interface Turn {
  readonly alone: number
  readonly one: number
  readonly two: number
  readonly p99: number
  readonly delivery: Delivery
}

/**
 * Each turn on databases of its own, on one server as durable as PostgreSQL is by default. No process is pinned:
 * the database server takes any free core.
 * @throws {Error} an answer was not what it should be, or a row was lost
 */
export const measurePostgres = async (order: Order): Promise<PostgresFigures> => {
  // The account that the server runs under must be able to enter.
  await chmod(order.scratch, 0o711)
  const server = await startPostgres({}, order.scratch)
  try {
    const turns: Turn[] = []
    for (let turn = 1; turn <= order.options.reps; turn++) turns.push(await measureTurn(server, order, turn))
    return {
      version: String((await query(server.url, 'SHOW server_version'))[0]?.server_version),
      alone: spread(turns.map(({ alone }) => alone)),
      one: spread(turns.map(({ one }) => one)),
      two: spread(turns.map(({ two }) => two)),
      p99: spread(turns.map(({ p99 }) => p99)),
      ofAlone: spread(turns.map(({ one, alone }) => one / alone)),
      ofOne: spread(turns.map(({ two, one }) => two / one)),
      bareMails: spread(turns.map(({ delivery }) => delivery.bare)),
      mails: spread(turns.map(({ delivery }) => delivery.rate)),
    }
  } finally {
    await server.stop()
  }
}

const measureTurn = async (server: PostgresServer, order: Order, turn: number): Promise<Turn> => {
  const alone = await measureAlone(await newDatabase(server, order, `alone_${turn}`), order.options)
  const one = await measureInstances(await newDatabase(server, order, `one_${turn}`), 1, order)
  const two = await measureInstances(await newDatabase(server, order, `two_${turn}`), 2, order)
  const delivery = await measureDelivery({
    ...{ url: await newDatabase(server, order, `mails_${turn}`), scratch: order.scratch },
    ...{ cores: order.cores, seconds: order.options.seconds },
  })
  return { alone, one: one.rate, two: two.rate, p99: one.p99, delivery }
}

export const newDatabase = async (
  server: PostgresServer,
  { scratch }: Pick<Order, 'scratch'>,
  name: string,
): Promise<string> => {
  await query(server.url, `CREATE DATABASE ${name}`)
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const folder = path.join(scratch, name)
  await mkdir(folder)
  await migrate(folder, url)
  await rm(folder, { recursive: true })
  return url
}

const measureAlone = async (url: string, { seconds, warmup }: Options): Promise<number> => {
  const program = path.join(import.meta.dirname, 'pg-alone.ts')
  const { rate } = JSON.parse(await run(process.execPath, [program, url, `${seconds}`, `${warmup}`], undefined))
  return rate
}

const measureInstances = async (url: string, count: number, { options, scratch }: Order) => {
  const folder = path.join(scratch, 'instances')
  await mkdir(folder)
  const servers: Server[] = []
  try {
    // In one folder, so that they share secret and keys.
    for (let n = 0; n < count; n++)
      servers.push(await Server.start({ ...(await rollcall(folder, { DATABASE_URL: url })), core: undefined }))
    const connections = Math.ceil(options.connections / count)
    const load = (seconds: number, firsts: readonly number[]): Promise<LoadReport[]> =>
      Promise.all(
        servers.map((server, n) =>
          generate(options.generator, {
            ...{ url: server.url, traffic: signUps, connections, seconds, core: undefined },
            first: firsts[n] ?? n * APART,
          }),
        ),
      )
    const warm = await load(options.warmup, [])
    const measured = await load(
      options.seconds,
      warm.map(({ next }) => next),
    )
    await requireAll(url, [...warm, ...measured])
    return {
      rate: measured.reduce((sum, report) => sum + answered(report) / report.seconds, 0),
      p99: Math.max(...measured.map(({ p99 }) => p99)),
    }
  } finally {
    for (const server of servers) await server.stop('SIGKILL')
    await rm(folder, { recursive: true })
  }
}

/** So that no two instances are asked for the same address. */
const APART = 10_000_000

const requireAll = async (url: string, reports: readonly LoadReport[]): Promise<void> => {
  const [row] = await query(url, 'SELECT count(*)::int AS found FROM subscription')
  const good = reports.reduce((sum, { statuses }) => sum + (statuses[200] ?? 0), 0)
  const all = reports.reduce((sum, report) => sum + answered(report), 0)
  if (good !== all || Number(row?.found) < good)
    throw new Error(`${row?.found} subscriptions for ${good} good answers of ${all}`)
}
