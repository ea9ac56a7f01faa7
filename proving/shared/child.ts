import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

interface ChildOrder {
  readonly command: readonly [program: string, ...args: string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Where it listens, if it does. */
  readonly url: string
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void
}

/** Running processes; they are killed when this one exits. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A process of the service. */
export class Child {
  readonly url: string
  /** Resolves when it has ended, in whatever way. */
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess

  constructor({ command: [program, ...args], cwd, env, url, onOutput }: ChildOrder) {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => onOutput(text, stream))
    running.add(child)
    this.url = url
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
  async readiness(): Promise<number | undefined> {
    const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status
  }

  /** False if it ended before `GET /readyz` had this status, or took longer. */
  async comesTo(status: number, within: number): Promise<boolean> {
    for (const end = Date.now() + within; Date.now() < end && this.isRunning; await sleep(20))
      if ((await this.readiness()) === status) return true
    return false
  }

  /** Sends the signal at once. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async kill(): Promise<Ended> {
    this.signal('SIGKILL')
    return await this.ended
  }
}
