import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import type { Core } from './cores.ts'
import type { DatabaseServer } from './database-server.ts'
import { peak } from './process-figures.ts'
import { Server } from './server.ts'
import type { Product, Setting } from './setting.ts'

const SAMPLE_EVERY = 20
const DONE = 0

let sites = 0

const AT_ONCE = 1_000

/** The rows as text, many at a time. */
function* linesOf(rows: Iterable<object | string>): Generator<string> {
  let lines: string[] = []
  for (const row of rows) {
    lines.push(`${typeof row === 'string' ? row : JSON.stringify(row)}\n`)
    if (lines.length < AT_ONCE) continue
    yield lines.join('')
    lines = []
  }
  yield lines.join('')
}

/** A command that has ended. */
interface Ended {
  readonly printed: string
  readonly seconds: number
  /** Megabytes resident at most. */
  readonly peak: number
}

/** One product with a database and a data folder of its own. It is used from outside, by its command and over HTTP. */
export class Site implements AsyncDisposable {
  readonly folder: string
  readonly product: Product
  readonly setting: Setting
  /** The server that its database is on, if it is on one. */
  database: DatabaseServer | undefined
  readonly #name: string

  private constructor(product: Product, setting: Setting) {
    this.#name = `bench_${process.pid}_${++sites}`
    this.folder = path.join(setting.scratch, this.#name)
    this.product = product
    this.setting = setting
  }

  /** A new one. */
  static async make(product: Product, setting: Setting): Promise<Site> {
    const site = new Site(product, setting)
    await mkdir(site.folder)
    await site.#createDatabase()
    await site.command('migrate')
    return site
  }

  /** Of one that does not run. */
  async copy(): Promise<Site> {
    const site = new Site(this.product, this.setting)
    await cp(this.folder, site.folder, { recursive: true })
    await site.#createDatabase(this.#name)
    return site
  }

  async #createDatabase(template?: string): Promise<void> {
    if (this.product.store !== 'postgres') return
    this.database = await this.setting.database()
    await this.database.create(this.#name, template)
  }

  /** What the command prints. */
  async command(...args: readonly string[]): Promise<string> {
    return (await this.run(...args)).printed
  }

  /** @throws {Error} the command did not end with 0 */
  async run(...args: readonly string[]): Promise<Ended> {
    const began = performance.now()
    const child = spawn(this.product.program, args, {
      ...{ cwd: this.folder, env: this.#environment(), stdio: ['ignore', 'pipe', 'pipe'] },
    })
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, peak(child.pid ?? 0) || 0)
    }, SAMPLE_EVERY)
    const [printed, said, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]).finally(() => clearInterval(timer))
    if (code !== DONE) throw new Error(`rollcall ${args.join(' ')} ended with ${code}: ${said.slice(-1_000)}`)
    return { printed, seconds: (performance.now() - began) / 1_000, peak: most }
  }

  /** A file with these rows, a line each. */
  async file(rows: Iterable<object | string>): Promise<string> {
    const file = path.join(this.folder, 'rows.ndjson')
    await writeFile(file, linesOf(rows))
    return file
  }

  /** An import of these rows. */
  async take(what: 'user' | 'subscription', rows: Iterable<object>, ...more: readonly string[]): Promise<Ended> {
    const file = await this.file(rows)
    const ended = await this.run(what, 'import', file, ...more)
    await rm(file)
    return ended
  }

  /** Request headers with an access token. */
  async authorization(...roles: readonly string[]): Promise<{ readonly Authorization: string }> {
    const holding = roles.flatMap((role) => ['--role', role])
    const token = await this.command('token', 'issue', '--subject', 'bench', '--ttl', '7d', ...holding)
    return { Authorization: `Bearer ${token.trim()}` }
  }

  async start(
    settings: Readonly<Record<string, string>> = {},
    core: Core = 'server',
    environment: NodeJS.ProcessEnv = {},
  ): Promise<Server> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    return await Server.start({
      ...{ program: this.product.program, args: ['serve'], cwd: this.folder, core, url, readiness: `${url}/readyz` },
      env: { ...this.#environment({ PORT: `${port}`, ...settings }), ...this.setting.environment, ...environment },
    })
  }

  #environment(settings: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const all = {
      ...{ DATA_DIR: path.join(this.folder, 'data'), LOG_LEVEL: 'warn', RATE_LIMIT: 'off' },
      ...{ WEBHOOK_ALLOW: '127.0.0.1', ...(this.database && { DATABASE_URL: this.database.urlOf(this.#name) }) },
      ...settings,
    }
    return {
      NODE_ENV: 'production',
      // The Node.js that runs this runs the service as well, whatever else is installed.
      PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`ROLLCALL_${name}`, value])),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true })
    await this.database?.drop(this.#name)
  }
}
