import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Home } from './home.ts'
import type { Program } from './program.ts'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const LONGEST_START = 60_000
const MOST_STDERR = 8_000

/** Those that are running: whatever becomes of this process, none of them outlives it. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** `rollcall serve`, or another command of it, in a process of its own. */
export class Service {
  /** Resolves when it is gone, however it went. */
  readonly ended: Promise<Ended>
  /** Milliseconds from its start until it said that it was ready. */
  readyIn = Number.NaN
  readonly #child: ChildProcess
  #stdout = ''
  #stderr = ''

  private constructor(program: Program, home: Home, args: readonly string[]) {
    const env = { ...home.environment, ...program.env }
    const child = spawn(process.execPath, [...program.args, ...args], { cwd: home.folder, env, stdio: 'pipe' })
    child.stdin.end()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-MOST_STDERR)
    })
    running.add(child)
    this.#child = child
    this.ended = once(child, 'close').then(([code, signal]) => {
      running.delete(child)
      return { code, signal }
    })
  }

  static start(program: Program, home: Home, ...args: readonly string[]): Service {
    return new Service(program, home, args)
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get stdout(): string {
    return this.#stdout
  }

  /** The end of what it wrote to where errors go. */
  get stderr(): string {
    return this.#stderr
  }

  /** False where it ended before it was ready, or was not ready in a minute. */
  async ready(client: Client): Promise<boolean> {
    const began = performance.now()
    while (this.isRunning && performance.now() - began < LONGEST_START) {
      const answer = await client.get('/readyz')
      this.readyIn = performance.now() - began
      if (answer?.status === 200) return true
      await sleep(3)
    }
    return false
  }

  /** At once: the signal is sent when this returns. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async kill(): Promise<Ended> {
    this.signal('SIGKILL')
    return await this.ended
  }
}
