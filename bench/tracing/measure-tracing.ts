import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Cores } from '../command.ts'
import type { Traffic } from '../load.ts'
import { openSink } from '../mails/sink.ts'
import type { Options } from '../options.ts'
import { command, issueToken, rollcall } from '../rollcall/rollcall.ts'
import { type Spread, spread } from '../statistics.ts'
import { deletions, signUps } from '../traffic.ts'
import { inTurns, type Rival, type TurnFigures } from '../turns/in-turns.ts'

/** What is traced: nothing, as without an SDK, for how far two equal services differ; what is by default; everything. */
const MODES = ['nothing', 'by default', 'all'] as const
type Mode = (typeof MODES)[number]

const RATES: Readonly<Record<Mode, Readonly<Record<string, string>>>> = {
  nothing: {},
  'by default': {},
  all: { TRACING_RATE: 'off' },
}

export interface TracingFigures {
  readonly of: string
  readonly mode: Mode
  /** Microseconds of a processor for each, with the mails that were sent meanwhile. */
  readonly cost: Spread
  /** A second. */
  readonly rate: Spread
  /** Beside those of the service without tracing of the same pair. */
  readonly dearer: Spread
  readonly slower: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

/** Without tracing, and with it. */
type Pair = readonly [plain: TurnFigures, traced: TurnFigures]

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

/** Services that differ in nothing but what is traced. */
export const measureTracing = async (order: Order, modes: readonly Mode[] = MODES): Promise<TracingFigures[]> => {
  await using sink = await openSink('keep', order.cores.load)
  const figures: TracingFigures[] = []
  for (const [of, work] of Object.entries(WORK)) {
    const pairs = new Map<Mode, Pair[]>(modes.map((mode) => [mode, []]))
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
  readonly isPlainFirst: boolean
}

const measurePair = async (order: Order, { mode, work, smtp, isPlainFirst }: PairOrder): Promise<Pair> => {
  const folder = path.join(order.scratch, 'tracing')
  const service = (name: string, traced: Mode) => async (): Promise<Rival> => {
    const home = path.join(folder, name)
    await mkdir(home, { recursive: true })
    const start = await rollcall(home, { SMTP_URL: smtp, ...RATES[traced] })
    const env = { ...start.env, ...(traced !== 'nothing' && { NODE_OPTIONS: `--import=${pathToFileURL(SDK)}` }) }
    return { start: { ...start, env }, traffic: await work.trafficIn(home), status: work.status }
  }
  try {
    return await inTurns(order, [service('plain', 'nothing'), service('traced', mode)], isPlainFirst ? 0 : 1)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const figuresOf = (of: string, mode: Mode, pairs: readonly Pair[]): TracingFigures => ({
  of,
  mode,
  cost: spread(pairs.map(([, traced]) => traced.cost)),
  rate: spread(pairs.map(([, traced]) => traced.rate)),
  dearer: spread(pairs.map(([plain, traced]) => traced.cost / plain.cost)),
  slower: spread(pairs.map(([plain, traced]) => traced.rate / plain.rate)),
})
