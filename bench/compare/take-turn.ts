import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cores } from '../command.ts'
import { answered, generate, type LoadReport } from '../load.ts'
import { openSink, type Sink } from '../mails/sink.ts'
import { faultsOf } from '../run-case.ts'
import type { Server } from '../server.ts'
import { distinct } from '../traffic.ts'
import { burst } from './burst.ts'
import type { CompareCase, Prepared } from './cases.ts'
import { type Product, Site } from './site.ts'

export interface TurnOrder {
  readonly product: Product
  readonly prepared: Prepared
  readonly compareCase: CompareCase
  readonly connections: number
  readonly seconds: number
  readonly warmup: number
  readonly cores: Cores
  /** What the service is started with, beside its settings. */
  readonly environment: NodeJS.ProcessEnv
  /** Seconds of a processor that the database server has used. */
  readonly databaseTime: () => number
}

export interface TurnFigures {
  /** Requests a second, until the turn ended. */
  readonly rate: number
  /** Milliseconds until an answer. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of a processor for each request: the service, and its database server. */
  readonly cost: number
  readonly databaseCost: number
  /** Per cent of the time in which the service was ready to run but something else had its core. */
  readonly denied: number
  /** Mails a second meanwhile. */
  readonly mails: number
  /** Megabytes resident at most. */
  readonly memory: number
  /** Answered, and not there after a kill. */
  readonly missing: number
  /** There, and never asked for. */
  readonly extra: number
}

const SETTLING = 500
const POLL = 20
const PATIENCE = 300_000
/** Milliseconds under load before the kill. */
const BURST = 1_000

/** @throws {Error} an answer was not what it should be, or the work that it left was not done */
export const takeTurn = async (order: TurnOrder): Promise<TurnFigures> => {
  const { product, prepared, compareCase, connections, cores, databaseTime } = order
  await using site = await Site.make(product, prepared.origin)
  await using sink = await openSink('keep', cores.load)
  const settings = { SMTP_URL: sink.url }
  await using server = await site.start(settings, cores.server, order.environment)
  await sleep(SETTLING)
  const names = prepared.names && path.join(site.folder, 'names')
  if (names !== undefined) await writeFile(names, (prepared.names ?? []).map((name) => `${name}\n`).join(''))
  const load = async (first: number, seconds: number): Promise<LoadReport> => {
    const { traffic } = prepared
    const report = await generate('wrk', {
      url: server.url,
      traffic,
      connections,
      seconds,
      first,
      names,
      core: cores.load,
    })
    const faults = faultsOf(report, compareCase.status)
    if (prepared.names !== undefined && first >= prepared.names.length / 2)
      throw new Error('too little was left of the stock: give more by --stock')
    if (faults.length > 0) throw new Error(`${product.name}: ${faults.join('; ')}. ${server.stderr}`)
    return report
  }
  const warm = await load(0, order.warmup)
  await workDone(order, site, sink)
  const { result, most } = await server.watch(async () => {
    const [before, database, mails] = [server.processorTime, databaseTime(), (await sink.look()).taken]
    const began = performance.timeOrigin + performance.now()
    const measured = await load(warm.next, order.seconds)
    const ended = await workDone(order, site, sink)
    return {
      ...{ measured, seconds: compareCase.until === 'answered' ? measured.seconds : (ended - began) / 1_000 },
      ...{ busy: server.processorTime.busy - before.busy, denied: server.processorTime.denied - before.denied },
      database: databaseTime() - database,
      mails: (await sink.look()).taken - mails,
    }
  })
  const { measured, seconds, busy, denied, database, mails } = result
  const count = answered(measured)
  const after = { answered: answered(warm) + count, next: measured.next }
  const { missing, extra } = await afterKill(order, site, server, settings, after)
  return {
    ...{ rate: count / seconds, p50: measured.p50, p99: measured.p99, mails: mails / seconds, memory: most / 1e6 },
    ...{
      cost: (busy * 1e6) / count,
      databaseCost: (database * 1e6) / count,
      denied: (denied * 100) / seconds,
      missing,
      extra,
    },
  }
}

/** Resolves when nothing is left of what the turn waits for, to when that was, in milliseconds since 1970. */
const workDone = async ({ compareCase: { until } }: TurnOrder, site: Site, sink: Sink): Promise<number> => {
  const isLeft = async (): Promise<boolean> =>
    (until !== 'answered' && (await site.hasUndecided())) || (until === 'mailed' && (await site.hasUnsent()))
  const end = performance.now() + PATIENCE
  while (await isLeft()) {
    if (performance.now() > end) throw new Error('the work of the sign-ups was not done in five minutes')
    await sleep(POLL)
  }
  const now = performance.timeOrigin + performance.now()
  return until === 'mailed' ? (await sink.look()).takenAt : now
}

/** One more second of load, `kill -9`, another start, and what is there then. */
const afterKill = async (
  order: TurnOrder,
  site: Site,
  server: Server,
  settings: Readonly<Record<string, string>>,
  counts: { readonly answered: number; readonly next: number },
) => {
  const { prepared, compareCase, connections } = order
  const { names, traffic } = prepared
  const nameOf = (number: number): string | undefined => (names === undefined ? distinct(number) : names[number])
  const { status } = compareCase
  const bursting = burst({ url: server.url, traffic, status, connections, first: counts.next, nameOf })
  await sleep(BURST)
  await server.stop('SIGKILL')
  const { next, acknowledged } = await bursting
  await using again = await site.start(settings, undefined, {})
  for (const end = performance.now() + PATIENCE; (await site.hasUndecided()) && performance.now() < end; )
    await sleep(POLL)
  const done = await compareCase.done(site, prepared)
  await again.stop('SIGTERM')
  if (compareCase.status === 403) return { missing: 0, extra: done.size }
  const subjects = Array.from({ length: next }, (_, number) => prepared.subject(number))
  const found = subjects.slice(0, counts.next).filter((subject) => done.has(subject)).length
  const lost = acknowledged.filter((number) => !done.has(subjects[number] ?? '')).length
  const asked = new Set(subjects)
  return {
    missing: Math.max(0, counts.answered - found) + lost,
    extra: [...done].filter((subject) => !asked.has(subject)).length,
  }
}
