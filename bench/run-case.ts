import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchCase, Delivery, Run } from './cases/bench-case.ts'
import type { Cores } from './command.ts'
import { answered, generate, type LoadReport, type Traffic } from './load.ts'
import type { Options } from './options.ts'
import { Server } from './server.ts'

/** What one repetition of a case came to. */
export interface RunResult {
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds that the server kept a processor busy for each answer; NaN where the system does not report it. */
  readonly cost: number
  /** The share of time in which the server was ready to run but something else had its core; NaN likewise. */
  readonly denied: number
  readonly statuses: LoadReport['statuses']
  /** Bytes. */
  readonly idle: number
  readonly underLoad: number
  readonly delivery: Delivery | undefined
  /** Why it does not count; empty if it does. */
  readonly faults: readonly string[]
}

interface RunOrder {
  readonly benchCase: BenchCase
  readonly folder: string
  readonly options: Options
  readonly cores: Cores
  /** Whether to wait for the remaining mails after the load. */
  readonly delivery: boolean
}

/** Milliseconds for the work that a start leaves to be done. */
const SETTLING = 500

export const runCase = async (order: RunOrder): Promise<RunResult> => {
  const run = await order.benchCase.run(order.folder)
  try {
    return await measure(run, order)
  } finally {
    await run.close?.()
  }
}

const measure = async (run: Run, { benchCase, options, cores, ...order }: RunOrder): Promise<RunResult> => {
  const env = { ...run.server.env, ...profiling(options) }
  await using server = await Server.start({ ...run.server, env, core: cores.server })
  await sleep(SETTLING)
  const idle = server.residentBytes
  const { warm, measured, busy, denied, underLoad } = await putUnderLoad(server, run.traffic, options, cores)
  const alive = server.isRunning
  const delivery = order.delivery && alive ? await run.deliver?.() : undefined
  // A profile is only written at a regular end.
  await server.stop(delivery || options.profile !== undefined ? 'SIGTERM' : run.end)
  const counts = { answered: answered(warm) + answered(measured), asked: measured.next }
  const faults = [
    ...(alive ? [] : ['the server ended under load']),
    ...[warm, measured].flatMap((report) => faultsOf(report, benchCase.status)),
    ...((await run.disagreements?.(counts)) ?? []),
  ]
  return {
    rate: answered(measured) / measured.seconds,
    p50: measured.p50,
    p99: measured.p99,
    cost: (busy * 1e6) / answered(measured),
    denied: denied / measured.seconds,
    statuses: measured.statuses,
    idle,
    underLoad,
    delivery,
    faults: faults.length > 0 && server.stderr !== '' ? [...faults, server.stderr.trim()] : faults,
  }
}

/** Warms the server up, then measures it: processor time in seconds, memory in bytes. */
export const putUnderLoad = async (server: Server, traffic: Traffic, options: Options, cores: Cores) => {
  const { warmup, seconds, connections, generator } = options
  const load = { url: server.url, traffic, connections, core: cores.load }
  const { result, most } = await server.watch(async () => {
    const warm = await generate(generator, { ...load, seconds: warmup, first: 0 })
    const before = server.processorTime
    const measured = await generate(generator, { ...load, seconds, first: warm.next })
    const { busy, denied } = server.processorTime
    return { warm, measured, busy: busy - before.busy, denied: denied - before.denied }
  })
  return { ...result, underLoad: most }
}

/** What makes a report worthless; empty if it counts. */
export const faultsOf = ({ errors, statuses }: LoadReport, expected: number): string[] => [
  ...(errors > 0 ? [`${errors} requests were not answered`] : []),
  ...Object.entries(statuses)
    .filter(([status]) => Number(status) !== expected)
    .map(([status, count]) => `${count} answers were ${status}, not ${expected}`),
  ...(statuses[expected] === undefined ? [`no answer was ${expected}`] : []),
]

const profiling = ({ profile }: Options): NodeJS.ProcessEnv =>
  profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }
