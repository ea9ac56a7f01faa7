import { readFileSync } from 'node:fs'
import { noteAnswer, watched } from '../../../packages/app/test/watched-services.ts'
import { Child } from '../../../proving/shared/child.ts'
import { fromSource } from '../../../proving/shared/service.ts'
import { LogWatch } from './watch.ts'

const PATIENCE = 60_000
const PAGE = 4_096

interface LoggedServiceOrder {
  readonly folder: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
  /** Texts that must never be in its log. */
  readonly secrets: readonly string[]
  readonly found: (problem: string, requestId: string | undefined) => void
}

/** The service in a process of its own; its log is checked. */
export class LoggedService extends Child implements AsyncDisposable {
  readonly port: number
  #stopping = false
  /** For the error if it does not start. */
  readonly #latest: { readonly text: string }

  private constructor({ folder, port, settings, secrets, found }: LoggedServiceOrder) {
    const named = Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value])
    const log = new LogWatch(secrets, found)
    const latest = { text: '' }
    super({
      command: [process.execPath, ...fromSource().args, 'serve'],
      cwd: folder,
      env: { ...watched(), ...Object.fromEntries(named), ROLLCALL_PORT: String(port), ROLLCALL_LOG_FORMAT: 'json' },
      url: `http://127.0.0.1:${port}`,
      // The log goes to standard output, so standard error must stay empty.
      onOutput: (text, stream) => {
        latest.text = text
        if (stream === 'stdout') log.push(text)
        else found(`stderr: ${text}`, undefined)
      },
    })
    this.port = port
    this.#latest = latest
    this.ended.then(({ code, signal }) => {
      if (!this.#stopping) found(`exit: the process ended with ${code ?? signal}`, undefined)
    })
  }

  /** @throws {Error} it did not become ready */
  static async start(order: LoggedServiceOrder): Promise<LoggedService> {
    const service = new LoggedService(order)
    if (await service.comesTo(200, PATIENCE)) {
      noteAnswer(service.pid)
      return service
    }
    await service.stop('SIGKILL')
    throw new Error(`the service did not become ready: ${service.#latest.text}`)
  }

  /** Bytes; 0 where the system does not report it. */
  get residentBytes(): number {
    try {
      const [, pages = '0'] = readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')
      return Number(pages) * PAGE
    } catch {
      return 0
    }
  }

  /** The exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#stopping = true
    this.signal(signal)
    return (await this.ended).code
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }
}
