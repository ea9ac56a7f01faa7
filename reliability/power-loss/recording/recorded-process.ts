import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { traced } from './tracer.ts'

const MAIN = path.join(import.meta.dirname, '../../../packages/app/src/main.ts')
const PATIENCE = 60_000

export interface RecordedProcessOrder {
  /** Of the rollcall command. */
  readonly args: readonly string[]
  /** For Node, before the program. */
  readonly nodeArgs: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly trace: string
}

/** A process of the service, every system call of which is recorded. */
export class RecordedProcess implements AsyncDisposable {
  readonly #tracer: ChildProcess
  readonly #ended: Promise<unknown>
  stdout = ''
  stderr = ''

  constructor({ args, nodeArgs, env, cwd, trace }: RecordedProcessOrder) {
    const command = traced(trace, process.execPath, [...nodeArgs, MAIN, ...args])
    // What goes through io_uring would not be seen.
    this.#tracer = spawn(...command, { cwd, env: { ...env, UV_USE_IO_URING: '0' }, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#tracer.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.#tracer.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.#ended = once(this.#tracer, 'close')
  }

  /** @throws {Error} it did not end well */
  async end(): Promise<void> {
    await this.#ended
    if (this.#tracer.exitCode !== 0) throw this.#failure('ended badly')
  }

  /** @throws {Error} it ended, or was not ready in a minute */
  async ready(url: string): Promise<void> {
    for (const end = Date.now() + PATIENCE; Date.now() < end && this.#isRunning; await sleep(20)) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      await answer?.arrayBuffer()
      if (answer?.status === 200) return
    }
    throw this.#failure('did not become ready')
  }

  async terminate(): Promise<void> {
    this.#signal('SIGTERM')
    await this.end()
  }

  /** Ends it at once, but with no system call half done: of such a one a trace does not tell whether it took effect. */
  async kill(): Promise<void> {
    this.#signal('SIGSTOP')
    await sleep(100)
    this.#signal('SIGKILL')
    await this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isRunning) this.#signal('SIGKILL')
    this.#tracer.kill('SIGKILL')
    await this.#ended
  }

  get #isRunning(): boolean {
    return this.#tracer.exitCode === null && this.#tracer.signalCode === null
  }

  /** To the service, not to its tracer. */
  #signal(signal: NodeJS.Signals): void {
    const tracer = this.#tracer.pid ?? 0
    const [service] = readFileSync(`/proc/${tracer}/task/${tracer}/children`, 'utf8').split(' ').map(Number)
    if (service) process.kill(service, signal)
  }

  #failure(what: string): Error {
    return new Error(`the recorded service ${what}: ${this.stdout.slice(-1000)}${this.stderr.slice(-1000)}`)
  }
}
