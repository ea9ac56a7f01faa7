import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../packages/app/test/free-port.ts'

const COMPILED = path.join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** A folder for one service, and what it is configured with. */
export class Home implements AsyncDisposable {
  readonly folder: string
  readonly port: number
  readonly #settings: Readonly<Record<string, string>>

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.folder = folder
    this.port = port
    this.#settings = settings
  }

  /** `settings` by their names without the prefix. */
  static async make(settings: Readonly<Record<string, string>>): Promise<Home> {
    return new Home(await mkdtemp(path.join(tmpdir(), 'rollcall-reliability-')), await freePort(), settings)
  }

  get data(): string {
    return path.join(this.folder, 'data')
  }

  get environment(): Record<string, string> {
    const settings = {
      DATA_DIR: this.data,
      PORT: `${this.port}`,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      ...this.#settings,
    }
    return {
      NODE_ENV: 'production',
      PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      // Reading the program is most of a start.
      NODE_COMPILE_CACHE: COMPILED,
      TMPDIR: tmpdir(),
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value])),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}
