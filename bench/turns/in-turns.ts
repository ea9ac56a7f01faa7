import type { Cores } from '../command.ts'
import { answered, GENERATORS, type Traffic } from '../load.ts'
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

/**
 * Two servers under load in turns of a second, on the same core: what else the machine does meets both. The one that
 * rests is stopped meanwhile, else it would send its mails. Both are new: what the compiler makes of a process stays with
 * it.
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
    await server.serve(order.options.warmup)
    return server
  }
  const [one, other] = [await open(rivals[begins]), await open(rivals[begins === 0 ? 1 : 0])]
  for (const server of [one, other]) server.forget()
  for (let second = 0; second < order.options.seconds; second++)
    for (const server of second % 2 === 0 ? [one, other] : [other, one]) await server.serve(1)
  return begins === 0 ? [one.figures, other.figures] : [other.figures, one.figures]
}

/** A server that is stopped but while it is under load. */
class RestingServer implements AsyncDisposable {
  readonly #server: Server
  readonly #order: Order
  readonly #rival: Rival
  #first = 0
  #answered = 0
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

  get figures(): TurnFigures {
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
    const { traffic, status } = this.#rival
    const load = { url: this.#server.url, traffic, connections: options.connections, core: cores.load }
    this.#server.proceed()
    const { busy } = this.#server.processorTime
    const report = await GENERATORS[options.generator]({ ...load, seconds, first: this.#first })
    this.#busy += this.#server.processorTime.busy - busy
    this.#server.pause()
    const faults = faultsOf(report, status)
    if (faults.length > 0) throw new Error(`${faults.join('; ')}. ${this.#server.stderr}`)
    this.#first = report.next
    this.#answered += answered(report)
    this.#seconds += report.seconds
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
  }
}
