import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Core, pinned } from './cores.ts'

export interface ServerOrder {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly core: Core
  readonly url: string
  /** Where it answers 200 once it is ready. */
  readonly readiness: string
}

const PATIENCE = 120_000
/** No connection is left that the load would not have. */
const ONCE = { headers: { Connection: 'close' } }
const MOST_SAID = 2_000

/** They are killed when this process exits. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A server in a process of its own. */
export class Server implements AsyncDisposable {
  readonly url: string
  /** Milliseconds from its start to its first good answer. */
  startedIn = Number.NaN
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #said = ''

  private constructor({ program, args, env, cwd, core, url }: ServerOrder) {
    this.url = url
    const child = spawn(...pinned(core, program, args), { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(0, MOST_SAID)
    })
    running.add(child)
    this.#child = child
    this.#ended = once(child, 'close').finally(() => running.delete(child))
  }

  /** @throws {Error} it ended, or was not ready in two minutes */
  static async start(order: ServerOrder): Promise<Server> {
    const began = performance.now()
    const server = new Server(order)
    for (;;) {
      const answer = await fetch(order.readiness, ONCE).catch(() => undefined)
      server.startedIn = performance.now() - began
      if (answer?.status === 200) return server
      const { exitCode, signalCode } = server.#child
      if (exitCode !== null || signalCode !== null || server.startedIn > PATIENCE) {
        await server.stop('SIGKILL')
        throw new Error(`${order.program} ${order.args.join(' ')} did not become ready. ${server.#said}`)
      }
      await sleep(1)
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The beginning of its standard error. */
  get said(): string {
    return this.#said
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal)
    await this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }
}
