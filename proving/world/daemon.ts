import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface DaemonOrder {
  readonly command: readonly [program: string, ...args: string[]]
  readonly cwd: string
  readonly account: { readonly uid?: number; readonly gid?: number }
}

const MOST_LOG = 20_000
const PATIENCE = 60_000

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true))
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false))
  })

/** A program that others made, and the processes that it starts. */
export class Daemon {
  readonly #child: ChildProcess
  readonly #program: string
  #log = ''
  #ended = false

  constructor({ command: [program, ...args], cwd, account }: DaemonOrder) {
    this.#program = program
    this.#child = spawn(program, args, {
      ...account,
      cwd,
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: cwd, TMPDIR: cwd, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, which is ended as one.
      detached: true,
    })
    const note = (text: string): void => {
      this.#log = `${this.#log}${text}`.slice(-MOST_LOG)
    }
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding('utf8').on('data', note)
    const end = (error: unknown): void => {
      this.#ended = true
      if (error instanceof Error) note(error.message)
    }
    this.#child.once('exit', end).once('error', end)
  }

  get isRunning(): boolean {
    return !this.#ended
  }

  /** The end of what it wrote. */
  get log(): string {
    return this.#log
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
  async until(isReady: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + PATIENCE; performance.now() < end && this.isRunning; await sleep(20))
      if (await isReady()) return
    throw new Error(`${this.#program} did not start.\n${this.#log}`)
  }

  /** @throws {Error} likewise */
  async listens(port: number): Promise<void> {
    await this.until(() => isListening(port))
  }
}
