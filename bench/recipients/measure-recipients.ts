import { chmod, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { type Cores, run } from '../command.ts'
import type { Options } from '../options.ts'
import { newDatabase } from '../postgres/measure-postgres.ts'
import { command, databaseIn, issueToken, issueTokenOn, rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import { type Spread, spread } from '../statistics.ts'
import { type Fill, fillPostgres, fillSqlite, stoppedOf } from './fill.ts'

const READER = path.join(import.meta.dirname, 'reader-process.ts')
const STEADY = path.join(import.meta.dirname, '../mails/steady-process.ts')
/** Sign-ups a second; the service has most of its time for other work. */
const RATE = 100

/** What it takes to stream all recipients of a feed. */
export interface RecipientFigures {
  readonly name: string
  readonly recipients: number
  /** With nothing else to do, and beside sign-ups. */
  readonly seconds: Spread
  readonly besideSignUps: Spread
  /** Bytes that are resident at most, from the start of the process on. */
  readonly resident: Spread
  readonly residentBesideSignUps: Spread
  /** Milliseconds, of sign-ups alone, and of those beside which recipients are streamed. */
  readonly p99Alone: Spread
  readonly p99Beside: Spread
  /** The same, each in its turn. */
  readonly slower: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

interface Target {
  readonly name: string
  readonly folder: string
  readonly token: string
  readonly settings: Readonly<Record<string, string>>
  readonly fill: Fill
}

/** @throws {Error} a recipient was lost, or one came that no mail may go to */
export const measureRecipients = async (order: Order): Promise<RecipientFigures[]> => {
  const { scratch } = order
  // The account that the database server runs under must be able to enter.
  await chmod(scratch, 0o711)
  const server = await startPostgres({}, scratch)
  try {
    const folder = path.join(scratch, 'recipients')
    const [onSqlite, onPostgres] = [path.join(folder, 'sqlite'), path.join(folder, 'postgres')]
    for (const each of [onSqlite, onPostgres]) await mkdir(path.join(each, 'data'), { recursive: true, mode: 0o700 })
    await command(onSqlite, 'migrate')
    const url = await newDatabase(server, order, 'recipients_of_a_feed')
    const found = [
      ...(await measureTarget(order, {
        ...{ name: 'SQLite', folder: onSqlite, settings: {}, fill: fillSqlite(databaseIn(onSqlite)) },
        token: await issueToken(onSqlite, 'bench-admin', 'admin'),
      })),
      ...(await measureTarget(order, {
        ...{ name: 'PostgreSQL', folder: onPostgres, settings: { DATABASE_URL: url }, fill: fillPostgres(url) },
        token: await issueTokenOn(onPostgres, url, 'bench-admin'),
      })),
    ]
    await rm(folder, { recursive: true })
    return found
  } finally {
    await server.stop()
  }
}

const measureTarget = async (order: Order, target: Target): Promise<RecipientFigures[]> => {
  const { rows } = order.options
  const filling = { rows, folder: target.folder }
  await target.fill.recipients(filling)
  const free = await measureTurns(order, target, { name: target.name, recipients: rows })
  await target.fill.stops(filling)
  const recipients = rows - stoppedOf(rows)
  return [free, await measureTurns(order, target, { name: `${target.name}, a fifth stopped`, recipients })]
}

const measureTurns = async (
  order: Order,
  target: Target,
  { name, recipients }: Pick<RecipientFigures, 'name' | 'recipients'>,
): Promise<RecipientFigures> => {
  const turns: Turn[] = []
  for (let turn = 1; turn <= order.options.reps; turn++) turns.push(await measureTurn(order, target, recipients))
  const of = (figure: (turn: Turn) => number): Spread => spread(turns.map(figure))
  return {
    ...{ name, recipients },
    seconds: of(({ alone }) => alone.seconds),
    besideSignUps: of(({ beside }) => beside.seconds),
    resident: of(({ alone }) => alone.resident),
    residentBesideSignUps: of(({ beside }) => beside.resident),
    p99Alone: of(({ p99Alone }) => p99Alone),
    p99Beside: of(({ p99Beside }) => p99Beside),
    slower: of(({ p99Alone, p99Beside }) => p99Beside / p99Alone),
  }
}

interface Streamed {
  readonly seconds: number
  readonly resident: number
}

interface Turn {
  readonly alone: Streamed
  readonly beside: Streamed
  readonly p99Alone: number
  readonly p99Beside: number
}

const measureTurn = async ({ options, cores }: Order, target: Target, recipients: number): Promise<Turn> => {
  const { folder, token, settings } = target
  await using server = await Server.start({ ...(await rollcall(folder, settings)), core: cores.server })
  const stream = async (): Promise<number> => {
    const asked = JSON.stringify({ url: `${server.url}/feeds/default/recipients`, token })
    const { seconds, count } = JSON.parse(await run(process.execPath, [READER, asked], cores.load))
    if (count !== recipients) throw new Error(`${count} recipients came where there are ${recipients}`)
    return seconds
  }
  const signUp = async (seconds: number): Promise<number> => {
    const prefix = `beside.${process.hrtime.bigint()}`
    const load = JSON.stringify({ url: server.url, rate: RATE, seconds, prefix })
    return JSON.parse(await run(process.execPath, [STEADY, load], cores.load)).p99
  }
  const alone = await server.watchPeak(stream)
  await signUp(options.warmup)
  const p99Alone = await signUp(options.seconds)
  const beside = await server.watchPeak(async () => {
    let signingUp = true
    const signUps = signUp(options.seconds).finally(() => {
      signingUp = false
    })
    const seconds = await stream()
    while (signingUp) await stream()
    return { seconds, p99: await signUps }
  })
  await server.stop('SIGTERM')
  return {
    alone: { seconds: alone.result, resident: alone.most },
    beside: { seconds: beside.result.seconds, resident: beside.most },
    p99Alone,
    p99Beside: beside.result.p99,
  }
}
