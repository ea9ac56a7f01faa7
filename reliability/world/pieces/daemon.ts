import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface DaemonOrder {
  /** As messages call it. */
  readonly name: string
  readonly command: readonly [program: string, ...args: string[]]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly account: { readonly uid?: number; readonly gid?: number }
}

const MOST_LOG = 20_000
const PATIENCE = 60_000

/** A program that others made, and the processes that it starts. */
export class Daemon {
  readonly name: string
  readonly #child: ChildProcess
  #log = ''
  #ended = false

  constructor({ name, command: [program, ...args], cwd, env = {}, account }: DaemonOrder) {
    this.name = name
    this.#child = spawn(program, args, {
      ...account,
      cwd,
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: cwd, TMPDIR: cwd, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, which is ended as one.
      detached: true,
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#log = `${this.#log}${text}`.slice(-MOST_LOG)
      })
    this.#child.once('exit', () => {
      this.#ended = true
    })
    this.#child.once('error', (error) => {
      this.#ended = true
      this.#log += error.message
    })
  }

  get isRunning(): boolean {
    return !this.#ended
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The end of what it wrote. */
  get log(): string {
    return this.#log
  }

  /** To its first process only. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** All processes of its group, at once. */
  killAll(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }

  async ended(): Promise<void> {
    if (!this.#ended) await once(this.#child, 'exit')
  }

  /** @throws {Error} it ended, or took too long, with the end of its log */
  async until(isReady: () => Promise<boolean>, what = 'did not start', patience = PATIENCE): Promise<void> {
    for (const end = performance.now() + patience; performance.now() < end && this.isRunning; await sleep(20))
      if (await isReady()) return
    throw new Error(`${this.name} ${what}.\n${this.#log}`)
  }

  /** @throws {Error} it ended, or took too long, with the end of its log */
  async listens(port: number): Promise<void> {
    await this.until(() => isListening(port))
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
