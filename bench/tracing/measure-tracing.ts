import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Cores } from '../command.ts'
import { answered, GENERATORS, type LoadReport, type Traffic } from '../load.ts'
import { openSink } from '../mails/sink.ts'
import type { Options } from '../options.ts'
import { command, issueToken, rollcall } from '../rollcall/rollcall.ts'
import { faultsOf } from '../run-case.ts'
import { Server } from '../server.ts'
import { type Spread, spread } from '../statistics.ts'
import { deletions, signUps } from '../traffic.ts'

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
  /** Each is first as often as the other. */
  readonly isPlainFirst: boolean
}

/**
 * Two services under load in turns of a second, on the same core: what else the machine does meets both. The one that
 * rests is stopped meanwhile, else it would send its mails. Each pair is new: what the compiler makes of a process stays
 * with it.
 * @throws {Error} a request was not answered as it should be
 */
const measurePair = async (order: Order, { isPlainFirst, ...pair }: PairOrder): Promise<Pair> => {
  const folder = path.join(order.scratch, 'tracing')
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true }))
  const open = async (name: string, mode: Mode): Promise<Service> => {
    const service = await Service.open(order, path.join(folder, name), { ...pair, mode })
    stack.use(service)
    await service.serve(order.options.warmup)
    return service
  }
  const early = isPlainFirst ? await open('plain', 'nothing') : undefined
  const traced = await open('traced', pair.mode)
  const plain = early ?? (await open('plain', 'nothing'))
  traced.forget()
  plain.forget()
  for (let second = 0; second < order.options.seconds; second++) {
    const isPlainNow = isPlainFirst === (second % 2 === 0)
    for (const service of isPlainNow ? [plain, traced] : [traced, plain]) await service.serve(1)
  }
  return { plain: plain.figures, traced: traced.figures }
}

/** A service that is stopped but while it is under load. */
class Service implements AsyncDisposable {
  readonly #server: Server
  readonly #traffic: Traffic
  readonly #order: Order
  readonly #status: number
  #first = 0
  #answered = 0
  #seconds = 0
  #busy = 0

  private constructor(server: Server, traffic: Traffic, order: Order, status: number) {
    this.#server = server
    this.#traffic = traffic
    this.#order = order
    this.#status = status
  }

  static async open(order: Order, home: string, { mode, work, smtp }: Omit<PairOrder, 'isPlainFirst'>) {
    await mkdir(home, { recursive: true })
    const start = await rollcall(home, { SMTP_URL: smtp, ...RATES[mode] })
    const traffic = await work.trafficIn(home)
    const env = { ...start.env, ...(mode !== 'nothing' && { NODE_OPTIONS: `--import=${pathToFileURL(SDK)}` }) }
    const server = await Server.start({ ...start, env, core: order.cores.server })
    return new Service(server, traffic, order, work.status)
  }

  get figures(): Figures {
    return { cost: (this.#busy * 1e6) / this.#answered, rate: this.#answered / this.#seconds }
  }

  /** What was measured so far, as warming up. */
  forget(): void {
    this.#answered = 0
    this.#seconds = 0
    this.#busy = 0
  }

  async serve(seconds: number): Promise<void> {
    const { options, cores } = this.#order
    const load = { url: this.#server.url, traffic: this.#traffic, connections: options.connections, core: cores.load }
    this.#server.proceed()
    const { busy } = this.#server.processorTime
    const report: LoadReport = await GENERATORS[options.generator]({ ...load, seconds, first: this.#first })
    this.#busy += this.#server.processorTime.busy - busy
    this.#server.pause()
    const faults = faultsOf(report, this.#status)
    if (faults.length > 0) throw new Error(`${faults.join('; ')}. ${this.#server.stderr}`)
    this.#first = report.next
    this.#answered += answered(report)
    this.#seconds += report.seconds
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
  }
}

const figuresOf = (of: string, mode: Mode, pairs: readonly Pair[]): TracingFigures => ({
  of,
  mode,
  cost: spread(pairs.map(({ traced }) => traced.cost)),
  rate: spread(pairs.map(({ traced }) => traced.rate)),
  dearer: spread(pairs.map(({ plain, traced }) => traced.cost / plain.cost)),
  slower: spread(pairs.map(({ plain, traced }) => traced.rate / plain.rate)),
})
