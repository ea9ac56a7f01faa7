import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Home } from '../service/home.ts'
import { type DiskFault, injectionOf } from './survive-disk-fault.ts'

const MAIN = path.join(import.meta.dirname, '../../packages/app/src/main.ts')
const PATIENCE = 180_000

/** The service on a disk that fails it; on a good one where there is no fault. */
export class FaultyService implements AsyncDisposable {
  readonly url: string
  readonly ended: Promise<number | null>
  #output = ''
  readonly #child: ChildProcess

  constructor(home: Home, fault?: DiskFault) {
    this.url = `http://127.0.0.1:${home.port}`
    const program = [process.execPath, MAIN, 'serve']
    const tracing = fault && [
      ...['strace', '-f', '-qq', '-o', '/dev/null'],
      ...['-e', `trace=${fault.calls}`, '-e', injectionOf(fault)],
    ]
    const [command = '', ...args] = [...(tracing ?? []), ...program]
    // What goes through io_uring no fault would meet.
    const env = { ...home.environment, UV_USE_IO_URING: '0' }
    this.#child = spawn(command, args, { cwd: home.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    this.ended = once(this.#child, 'close').then(([code]) => code)
  }

  /** All that it wrote. */
  get output(): string {
    return this.#output
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The status of `GET /readyz`; undefined where nobody answers. */
  async readiness(): Promise<number | undefined> {
    const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status
  }

  /** False where it ended before, or did not come to it in a minute. */
  async comesTo(status: number): Promise<boolean> {
    for (const end = Date.now() + PATIENCE; Date.now() < end && this.isRunning; await sleep(20))
      if ((await this.readiness()) === status) return true
    return false
  }

  /** The status of the answer; undefined where there was none. */
  async subscribe(email: string): Promise<number | undefined> {
    const body = new URLSearchParams({ email })
    const answer = await fetch(`${this.url}/subscribe`, { method: 'POST', body }).catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status
  }

  /** The code that it exits with. */
  async stop(): Promise<number | null> {
    this.#signal('SIGTERM')
    return await this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal('SIGKILL')
    this.#child.kill('SIGKILL')
    await this.ended
  }

  /** To the service, not to who makes its disk fail. */
  #signal(signal: NodeJS.Signals): void {
    if (!this.isRunning) return
    const pid = this.#child.pid ?? 0
    if (this.#child.spawnfile !== 'strace') process.kill(pid, signal)
    else {
      const [service] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number)
      if (service) process.kill(service, signal)
    }
  }
}
