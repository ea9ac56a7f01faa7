import { setTimeout as sleep } from 'node:timers/promises'
import type { Cores } from '../command.ts'
import { answered, generate, type LoadOrder, type LoadReport, RestingLoad, type Traffic } from '../load.ts'
import type { Options } from '../options.ts'
import { faultsOf } from '../run-case.ts'
import { Server, type ServerOrder } from '../server.ts'

/** A server that is compared with another. */
export interface Rival {
  readonly start: Omit<ServerOrder, 'core'>
  readonly traffic: Traffic
  /** What every answer must be. */
  readonly status: number
}

export interface TurnFigures {
  /** Microseconds of a processor for each answer. */
  readonly cost: number
  /** Answers a second. */
  readonly rate: number
}

interface Order {
  readonly options: Options
  readonly cores: Cores
}

type Pair<Of> = readonly [Of, Of]

/** Milliseconds. */
const TURN = 500

/**
 * Two servers under load in turns of half a second, on the same core: what else the machine does meets both. The one that
 * rests is stopped, and with it the load that it is under, so that neither notices. Both are new: what the compiler makes
 * of a process stays with it.
 * @param begins which of them is the first to start, and to have its turn; let each begin as often as the other
 * @throws {Error} a request was not answered as it should be
 */
export const inTurns = async (
  order: Order,
  rivals: Pair<() => Promise<Rival>>,
  begins: 0 | 1,
): Promise<Pair<TurnFigures>> => {
  await using stack = new AsyncDisposableStack()
  const open = async (prepare: () => Promise<Rival>): Promise<RestingServer> => {
    const server = stack.use(await RestingServer.open(order, await prepare()))
    await server.warmUp()
    return server
  }
  const [one, other] = [await open(rivals[begins]), await open(rivals[begins === 0 ? 1 : 0])]
  const turns = Math.ceil((order.options.seconds * 1_000) / TURN)
  for (let turn = 0; turn < turns; turn++)
    for (const server of turn % 2 === 0 ? [one, other] : [other, one]) await server.takeTurn()
  const figures = [await one.end(), await other.end()] as const
  return begins === 0 ? figures : [figures[1], figures[0]]
}

/** A server that is stopped but while it is under load. */
class RestingServer implements AsyncDisposable {
  readonly #server: Server
  readonly #order: Order
  readonly #rival: Rival
  #first = 0
  #load: RestingLoad | undefined
  #seconds = 0
  #busy = 0

  private constructor(server: Server, order: Order, rival: Rival) {
    this.#server = server
    this.#order = order
    this.#rival = rival
  }

  static async open(order: Order, rival: Rival): Promise<RestingServer> {
    return new RestingServer(await Server.start({ ...rival.start, core: order.cores.server }), order, rival)
  }

  async warmUp(): Promise<void> {
    const { generator, warmup } = this.#order.options
    const report = await generate(generator, { ...this.#demand, seconds: warmup })
    this.#server.pause()
    this.#require(report)
    this.#first = report.next
  }

  async takeTurn(): Promise<void> {
    const { busy } = this.#server.processorTime
    const began = performance.now()
    this.#server.proceed()
    if (this.#load) this.#load.proceed()
    else this.#load = new RestingLoad(this.#order.options.generator, this.#demand)
    await sleep(TURN)
    this.#load.pause()
    this.#server.pause()
    this.#seconds += (performance.now() - began) / 1_000
    this.#busy += this.#server.processorTime.busy - busy
  }

  /** While the server rests: what is not answered by now does not count. */
  async end(): Promise<TurnFigures> {
    const report = await this.#load?.end()
    if (report === undefined) throw new Error('nothing was measured')
    this.#require(report)
    return { cost: (this.#busy * 1e6) / answered(report), rate: answered(report) / this.#seconds }
  }

  get #demand(): Omit<LoadOrder, 'seconds'> {
    const { options, cores } = this.#order
    const { traffic } = this.#rival
    return {
      ...{ url: this.#server.url, traffic, connections: options.connections },
      ...{ core: cores.load, first: this.#first },
    }
  }

  #require(report: LoadReport): void {
    const faults = faultsOf(report, this.#rival.status)
    if (faults.length > 0) throw new Error(`${faults.join('; ')}. ${this.#server.stderr}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#load?.[Symbol.dispose]()
    await this.#server[Symbol.asyncDispose]()
  }
}
