import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogWatch } from './watch.ts'

const MAIN = path.join(import.meta.dirname, '../../../packages/app/src/main.ts')
const PATIENCE = 60_000
const PAGE = 4_096

/** Running services; they are killed when this process exits. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface ServiceOrder {
  readonly folder: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
  /** Texts that must never be in its log. */
  readonly secrets: readonly string[]
  readonly found: (problem: string, requestId: string | undefined) => void
}

/** The service in a process of its own; its log is checked. */
export class Service implements AsyncDisposable {
  readonly port: number
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #stopping = false
  /** Its latest output, for the error if it does not start. */
  #said = ''

  private constructor({ folder, port, settings, secrets, found }: ServiceOrder) {
    this.port = port
    const named = Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value])
    const env = { ...Object.fromEntries(named), ROLLCALL_PORT: String(port), ROLLCALL_LOG_FORMAT: 'json' }
    this.#child = spawn(process.execPath, [MAIN, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(this.#child)
    const log = new LogWatch(secrets, found)
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = text
      log.push(text)
    })
    // The log goes to standard output, so this is unexpected.
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = text
      found(`stderr: ${text}`, undefined)
    })
    this.#ended = once(this.#child, 'close').then(([code, signal]) => {
      running.delete(this.#child)
      if (!this.#stopping) found(`exit: the process ended with ${code ?? signal}`, undefined)
    })
  }

  /** @throws {Error} it did not become ready */
  static async start(order: ServiceOrder): Promise<Service> {
    const service = new Service(order)
    for (const end = Date.now() + PATIENCE; Date.now() < end && service.isRunning; await sleep(50)) {
      const ready = await fetch(`${service.url}/readyz`).catch(() => undefined)
      await ready?.arrayBuffer()
      if (ready?.status === 200) return service
    }
    await service.stop('SIGKILL')
    throw new Error(`the service did not become ready: ${service.#said}`)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Bytes; 0 where the system does not report it. */
  get residentBytes(): number {
    try {
      const [, pages = '0'] = readFileSync(`/proc/${this.#child.pid}/statm`, 'utf8').split(' ')
      return Number(pages) * PAGE
    } catch {
      return 0
    }
  }

  /** The exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#stopping = true
    this.#child.kill(signal)
    await this.#ended
    return this.#child.exitCode
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }
}
