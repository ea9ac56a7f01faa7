import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Cores } from '../command.ts'
import { answered, type Traffic } from '../load.ts'
import { openSink } from '../mails/sink.ts'
import type { Options } from '../options.ts'
import { command, issueToken, rollcall } from '../rollcall/rollcall.ts'
import { faultsOf, putUnderLoad } from '../run-case.ts'
import { Server } from '../server.ts'
import { type Spread, spread } from '../statistics.ts'
import { deletions, signUps } from '../traffic.ts'

/** What is traced: nothing, as without an SDK, for how far two equal services differ; what the guide recommends; everything. */
const MODES = ['nothing', 'one in a thousand', 'one in a hundred', 'all'] as const
type Mode = (typeof MODES)[number]

export interface TracingFigures {
  readonly of: string
  readonly mode: Mode
  /** Microseconds of a processor for each, with the mails that were sent meanwhile. */
  readonly cost: Spread
  /** A second, while another service has the other half of the core. */
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

interface Work {
  readonly status: number
  trafficIn(home: string): Promise<Traffic>
}

const SDK = path.join(import.meta.dirname, 'register-sdk.ts')

/** The cheapest request that there is, and the dearest of those that are made often. */
const WORK: Readonly<Record<string, Work>> = {
  'refused deletions': {
    status: 403,
    trafficIn: async (home) => {
      await command(home, 'migrate')
      return deletions({ Authorization: `Bearer ${await issueToken(home, 'bench-reader')}` })
    },
  },
  'sign-ups': { status: 200, trafficIn: async () => signUps },
}

/**
 * Two services that differ in nothing but what is traced share a core and are under load at the same time, so that
 * whatever else the machine does meets both. Each pair is new: what the compiler makes of a process stays with it.
 */
export const measureTracing = async (order: Order): Promise<readonly TracingFigures[]> => {
  await using sink = await openSink('keep', order.cores.load)
  const figures: TracingFigures[] = []
  for (const [of, work] of Object.entries(WORK)) {
    const pairs = new Map<Mode, Pair[]>(MODES.map((mode) => [mode, []]))
    for (let turn = 0; turn < order.options.reps; turn++)
      for (const [mode, taken] of pairs)
        taken.push(await measurePair(order, { mode, work, smtp: sink.url, isPlainFirst: turn % 2 === 0 }))
    figures.push(...[...pairs].map(([mode, taken]) => figuresOf(of, mode, taken)))
  }
  return figures
}

interface PairOrder {
  readonly mode: Mode
  readonly work: Work
  readonly smtp: string
  /** Each starts first as often as the other. */
  readonly isPlainFirst: boolean
}

/** @throws {Error} a request was not answered as it should be */
const measurePair = async ({ options, scratch, cores }: Order, pair: PairOrder): Promise<Pair> => {
  const folder = path.join(scratch, 'tracing')
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true }))
  const start = async (name: string, mode: Mode) => {
    const home = path.join(folder, name)
    await mkdir(home, { recursive: true })
    const order = await rollcall(home, { SMTP_URL: pair.smtp, TRACING_RATIO: RATIOS[mode] })
    const traffic = await pair.work.trafficIn(home)
    const env = { ...order.env, ...(mode !== 'nothing' && { NODE_OPTIONS: `--import=${pathToFileURL(SDK)}` }) }
    const server = stack.use(await Server.start({ ...order, env, core: cores.server }))
    return { server, traffic }
  }
  const measure = async ({ server, traffic }: Awaited<ReturnType<typeof start>>): Promise<Figures> => {
    const { warm, measured, busy } = await putUnderLoad(server, traffic, options, cores)
    const faults = [warm, measured].flatMap((report) => faultsOf(report, pair.work.status))
    if (faults.length > 0) throw new Error(`${faults.join('; ')}. ${server.stderr}`)
    return { cost: (busy * 1e6) / answered(measured), rate: answered(measured) / measured.seconds }
  }
  const early = pair.isPlainFirst ? await start('plain', 'nothing') : undefined
  const tracing = await start('traced', pair.mode)
  const without = early ?? (await start('plain', 'nothing'))
  const [plain, traced] = await Promise.all([measure(without), measure(tracing)])
  return { plain, traced }
}

const RATIOS: Record<Mode, string> = {
  nothing: '1',
  'one in a thousand': '0.001',
  'one in a hundred': '0.01',
  all: '1',
}

const figuresOf = (of: string, mode: Mode, pairs: readonly Pair[]): TracingFigures => ({
  of,
  mode,
  cost: spread(pairs.map(({ traced }) => traced.cost)),
  rate: spread(pairs.map(({ traced }) => traced.rate)),
  dearer: spread(pairs.map(({ plain, traced }) => traced.cost / plain.cost)),
  slower: spread(pairs.map(({ plain, traced }) => traced.rate / plain.rate)),
})
