import { Child } from '../shared/child.ts'
import { type Core, pinned } from './cores.ts'

interface ServerOrder {
  readonly command: readonly [program: string, ...args: string[]]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly core: Core
  readonly port: number
  /** Where it answers 200 once it is ready. */
  readonly readiness: string
}

const PATIENCE = 120_000
const MOST_SAID = 2_000

/** A server in a process of its own, on a core of its own. */
export class Server extends Child {
  #said = ''

  private constructor({ command, core, ...order }: Omit<ServerOrder, 'readiness'>) {
    super({
      ...{ ...order, command: pinned(core, command) },
      onOutput: (text, stream) => {
        if (stream === 'stderr') this.#said = `${this.#said}${text}`.slice(0, MOST_SAID)
      },
    })
  }

  /** @throws {Error} it ended, or was not ready in two minutes */
  static async start({ readiness, ...order }: ServerOrder): Promise<Server> {
    const server = new Server(order)
    if (await server.comesTo(200, PATIENCE, order.port, readiness)) return server
    await server.kill()
    throw new Error(`${order.command.join(' ')} did not become ready. ${server.#said}`)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.signal(signal)
    await this.ended
  }
}
