import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './wire.ts'

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export type OutputListener = (text: string, stream: 'stdout' | 'stderr') => void

interface ChildOrder {
  readonly command: readonly [program: string, ...args: string[]]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** On which it listens, if it does. */
  readonly port: number
  readonly onOutput: OutputListener
}

const PAUSE = 2

/** Running processes; they are killed when this one exits. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A process of the service. */
export class Child implements AsyncDisposable {
  readonly port: number
  /** Milliseconds that it was waited for the last time. */
  readyIn = Number.NaN
  /** Resolves when it has ended, in whatever way. */
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess

  constructor({ command: [program, ...args], cwd, env, port, onOutput }: ChildOrder) {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => onOutput(text, stream))
    running.add(child)
    this.port = port
    this.#child = child
    this.ended = once(child, 'close').then(([code, signal]) => {
      running.delete(child)
      return { code, signal }
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The status of `GET /readyz`; undefined without an answer. */
  async readiness(port = this.port, path = '/readyz'): Promise<number | undefined> {
    return (await ask(port, `GET ${path}`).catch(() => undefined))?.status
  }

  /** False if it ended before `GET /readyz` had this status, or took longer. `port`: that of a proxy in front. */
  async comesTo(status: number, within: number, port = this.port, path = '/readyz'): Promise<boolean> {
    const began = performance.now()
    for (; performance.now() < began + within && this.isRunning; await sleep(PAUSE))
      if ((await this.readiness(port, path)) === status) {
        this.readyIn = performance.now() - began
        return true
      }
    return false
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async kill(): Promise<Ended> {
    this.signal('SIGKILL')
    return await this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}
