import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../shared/wire.ts'
import type { LaunchReport } from './recorder.ts'

const PATIENCE = 180_000

/** A process of the service whose system calls are recorded. */
export class RecordedProcess {
  readonly ended: Promise<void>
  readonly #end = Promise.withResolvers<void>()
  #pid = 0
  #code: number | null | undefined
  stdout = ''
  stderr = ''

  constructor() {
    this.ended = this.#end.promise
  }

  take(report: LaunchReport): void {
    if ('pid' in report) this.#pid = report.pid
    else if ('out' in report) this.stdout += report.out
    else if ('err' in report) this.stderr += report.err
    else {
      this.#code = report.code
      this.#end.resolve()
    }
  }

  /** @throws {Error} its exit code is not 0 */
  async end(): Promise<void> {
    await this.ended
    if (this.#code !== 0) throw this.#failure('failed')
  }

  /** @throws {Error} it ended, or was not ready in three minutes */
  async ready(port: number): Promise<void> {
    for (const end = Date.now() + PATIENCE; Date.now() < end && this.#code === undefined; await sleep(20)) {
      const answer = await ask(port, 'GET /readyz').catch(() => undefined)
      if (answer?.status === 200) return
    }
    throw this.#failure('did not become ready')
  }

  async terminate(): Promise<void> {
    this.signal('SIGTERM')
    await this.end()
  }

  /** Ends it at once, but not within a system call: the trace would not show whether the call took effect. */
  async kill(): Promise<void> {
    this.signal('SIGSTOP')
    await sleep(100)
    this.signal('SIGKILL')
    await this.ended
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#pid > 0 && this.#code === undefined) process.kill(this.#pid, signal)
  }

  #failure(what: string): Error {
    return new Error(`the recorded service ${what}: ${this.stdout.slice(-1000)}${this.stderr.slice(-1000)}`)
  }
}
