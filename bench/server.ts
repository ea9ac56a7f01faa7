import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  forgetPeak,
  type ProcessorTime,
  peakResidentBytes,
  processorTime,
  residentBytes,
} from '../proving/shared/process-figures.ts'
import { pinned } from './command.ts'

export interface ServerOrder {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly port: number
  readonly core: number | undefined
  /** Whether this status of `GET /readyz` says that it is ready. */
  readonly isReady: (status: number) => boolean
}

const PATIENCE = 120_000
const SAMPLE_EVERY = 100
const MOST_STDERR = 2_000

/** Running servers; they are killed when this process exits. */
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
  #stderr = ''

  private constructor({ program, args, env, cwd, port, core }: ServerOrder) {
    this.url = `http://127.0.0.1:${port}`
    const child = spawn(...pinned(core, program, args), { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(0, MOST_STDERR)
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
      const status = await statusOf(`${server.url}/readyz`)
      server.startedIn = performance.now() - began
      if (status !== undefined && order.isReady(status)) return server
      if (!server.isRunning || server.startedIn > PATIENCE) {
        await server.stop('SIGKILL')
        throw new Error(`${order.program} ${order.args.join(' ')} did not become ready. ${server.#stderr}`)
      }
      await sleep(1)
    }
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get residentBytes(): number {
    return this.isRunning ? residentBytes(this.#child.pid ?? 0) : 0
  }

  get processorTime(): ProcessorTime {
    return this.isRunning ? processorTime(this.#child.pid ?? 0) : { busy: Number.NaN, denied: Number.NaN }
  }

  /** The beginning of its standard error. */
  get stderr(): string {
    return this.#stderr
  }

  /** Does the work; `most` is the most memory that the server had resident meanwhile. */
  async watch<Result>(work: () => Promise<Result>): Promise<{ result: Result; most: number }> {
    let most = this.residentBytes
    const timer = setInterval(() => {
      most = Math.max(most, this.residentBytes)
    }, SAMPLE_EVERY)
    const result = await work().finally(() => clearInterval(timer))
    return { result, most }
  }

  /** As `watch`, but also catches short peaks, where the system records them. */
  async watchPeak<Result>(work: () => Promise<Result>): Promise<{ result: Result; most: number }> {
    const pid = this.#child.pid ?? 0
    forgetPeak(pid)
    const { result, most } = await this.watch(work)
    return { result, most: this.isRunning ? Math.max(most, peakResidentBytes(pid) || 0) : most }
  }

  /** It does nothing, not even what is left to be done, until `proceed`. */
  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  proceed(): void {
    this.#child.kill('SIGCONT')
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal)
    this.proceed()
    await this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }
}

/** Undefined where nothing listens yet. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode))
    })
    request.on('error', () => resolve(undefined))
  })
