import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Cores } from '../command.ts'
import { answered, GENERATORS } from '../load.ts'
import { openSink } from '../mails/sink.ts'
import type { Options } from '../options.ts'
import { databaseIn, rollcall } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { Server } from '../server.ts'
import { type Spread, spread } from '../statistics.ts'
import { signUps } from '../traffic.ts'

/** What is traced: nothing, as without an SDK; what the guide recommends; everything. */
const MODES = ['off', 'one in a hundred', 'all, without an exporter', 'all'] as const
export type TracingMode = (typeof MODES)[number]

export interface TracingFigures {
  readonly mode: TracingMode
  /** Microseconds of a processor for a sign-up, until its mail was sent. */
  readonly cost: Spread
  /** Sign-ups a second. */
  readonly rate: Spread
  /** Beside those of the same turn without tracing. */
  readonly dearer: Spread
  readonly slower: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

interface Traced {
  readonly mode: TracingMode
  readonly server: Server
  readonly database: string
  next: number
  readonly turns: { readonly cost: number; readonly rate: number }[]
}

const SDK = path.join(import.meta.dirname, 'register-sdk.ts')

/**
 * The same service several times side by side, which differ in nothing but what is traced. They take turns, each of which
 * ends when all mails are sent, so that none works while another is measured.
 */
export const measureTracing = async ({ options, scratch, cores }: Order): Promise<readonly TracingFigures[]> => {
  const folder = path.join(scratch, 'tracing')
  await mkdir(folder)
  await using sink = await openSink('keep', cores.load)
  await using stack = new AsyncDisposableStack()
  const all: Traced[] = []
  for (const mode of MODES) {
    const home = path.join(folder, `${MODES.indexOf(mode)}`)
    await mkdir(home)
    const order = await rollcall(home, { SMTP_URL: sink.url })
    const env = { ...order.env, ...(mode !== 'off' && loading(mode)) }
    const server = stack.use(await Server.start({ ...order, env, core: cores.server }))
    all.push({ mode, server, database: databaseIn(home), next: 0, turns: [] })
  }
  for (const traced of all) await takeTurn(traced, options.warmup, options, cores)
  for (let turn = 0; turn < options.reps; turn++) {
    // Each goes first as often as the others.
    for (const index of all.keys()) {
      const traced = all[(turn + index) % all.length] as Traced
      traced.turns.push(await takeTurn(traced, options.seconds, options, cores))
    }
  }
  await stack.disposeAsync()
  await rm(folder, { recursive: true })
  return all.map((traced) => figuresOf(traced, all[0] as Traced))
}

const loading = (mode: TracingMode): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${pathToFileURL(SDK)}`,
  BENCH_TRACING: mode,
})

const POLL = 20

const takeTurn = async (traced: Traced, seconds: number, { connections, generator }: Options, cores: Cores) => {
  const { server, database } = traced
  const before = server.processorTime.busy
  const load = { url: server.url, traffic: signUps, connections, seconds, first: traced.next, core: cores.load }
  const report = await GENERATORS[generator](load)
  if (report.errors > 0) throw new Error(`${report.errors} requests were not answered. ${server.stderr}`)
  while (countRows(database, 'SELECT count(*) FROM outbox') > 0) await sleep(POLL)
  traced.next = report.next
  const busy = server.processorTime.busy - before
  return { cost: (busy * 1e6) / answered(report), rate: answered(report) / report.seconds }
}

const figuresOf = ({ mode, turns }: Traced, off: Traced): TracingFigures => {
  const beside = (figure: 'cost' | 'rate') =>
    turns.map((turn, index) => turn[figure] / (off.turns[index]?.[figure] ?? 0))
  return {
    mode,
    cost: spread(turns.map(({ cost }) => cost)),
    rate: spread(turns.map(({ rate }) => rate)),
    dearer: spread(beside('cost')),
    slower: spread(beside('rate')),
  }
}
