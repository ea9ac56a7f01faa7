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

/** What is traced: nothing, as without an SDK, for how far two equal services differ; what the guide recommends; everything. */
const MODES = ['off', 'one in a hundred', 'all, without an exporter', 'all'] as const
export type TracingMode = (typeof MODES)[number]

export interface TracingFigures {
  readonly mode: TracingMode
  /** Microseconds of a processor for a sign-up, until its mail was sent. */
  readonly cost: Spread
  /** Sign-ups a second, while another service has the other half of the core. */
  readonly rate: Spread
  /** Beside those of the service without tracing that ran at the same time. */
  readonly dearer: Spread
  readonly slower: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

interface Figures {
  readonly cost: number
  readonly rate: number
}

interface Pair {
  readonly plain: Figures
  readonly traced: Figures
}

const SDK = path.join(import.meta.dirname, 'register-sdk.ts')

/**
 * Two services that differ in nothing but what is traced share a core and are under load at the same time, so that
 * whatever else the machine does meets both. Each pair is new: what the compiler makes of a process stays with it.
 */
export const measureTracing = async ({ options, scratch, cores }: Order): Promise<readonly TracingFigures[]> => {
  const folder = path.join(scratch, 'tracing')
  await using sink = await openSink('keep', cores.load)
  const pairs = new Map<TracingMode, Pair[]>(MODES.map((mode) => [mode, []]))
  for (let turn = 0; turn < options.reps; turn++) {
    for (const [mode, taken] of pairs) {
      await mkdir(folder)
      await using stack = new AsyncDisposableStack()
      const start = async (name: string, env: NodeJS.ProcessEnv): Promise<Signed> => {
        const home = path.join(folder, name)
        await mkdir(home)
        const order = await rollcall(home, { SMTP_URL: sink.url })
        const server = stack.use(await Server.start({ ...order, env: { ...order.env, ...env }, core: cores.server }))
        return { server, database: databaseIn(home), next: 0 }
      }
      // Each goes first as often as the other.
      const first = turn % 2 === 0 ? await start('plain', {}) : undefined
      const traced = await start('traced', mode === 'off' ? {} : loading(mode))
      const both = [first ?? (await start('plain', {})), traced] as const
      await Promise.all(both.map((one) => signUpAt(one, options.warmup, options, cores)))
      const [plain, other] = await Promise.all(both.map((one) => signUpAt(one, options.seconds, options, cores)))
      taken.push({ plain: plain as Figures, traced: other as Figures })
      await stack.disposeAsync()
      await rm(folder, { recursive: true })
    }
  }
  return [...pairs].map(([mode, taken]) => figuresOf(mode, taken))
}

const loading = (mode: TracingMode): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${pathToFileURL(SDK)}`,
  BENCH_TRACING: mode,
})

const POLL = 20

interface Signed {
  readonly server: Server
  readonly database: string
  next: number
}

/** Sign-ups for so long, until their mails are sent. */
const signUpAt = async (to: Signed, seconds: number, options: Options, cores: Cores): Promise<Figures> => {
  const { server, database } = to
  const before = server.processorTime.busy
  const { connections, generator } = options
  const load = { url: server.url, traffic: signUps, connections, seconds, first: to.next, core: cores.load }
  const report = await GENERATORS[generator](load)
  if (report.errors > 0) throw new Error(`${report.errors} requests were not answered. ${server.stderr}`)
  while (countRows(database, 'SELECT count(*) FROM outbox') > 0) await sleep(POLL)
  to.next = report.next
  const busy = server.processorTime.busy - before
  return { cost: (busy * 1e6) / answered(report), rate: answered(report) / report.seconds }
}

const figuresOf = (mode: TracingMode, pairs: readonly Pair[]): TracingFigures => ({
  mode,
  cost: spread(pairs.map(({ traced }) => traced.cost)),
  rate: spread(pairs.map(({ traced }) => traced.rate)),
  dearer: spread(pairs.map(({ plain, traced }) => traced.cost / plain.cost)),
  slower: spread(pairs.map(({ plain, traced }) => traced.rate / plain.rate)),
})
