import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../packages/app/test/free-port.ts'
import { peak } from '../shared/processes.ts'
import { Home, prefixed, Service } from '../shared/service.ts'
import type { Settings } from '../shared/target.ts'
import type { Core } from './cores.ts'
import type { DatabaseServer } from './database-server.ts'
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

interface Ended {
  readonly printed: string
  readonly seconds: number
  /** Megabytes resident at most. */
  readonly peak: number
}

/** What is not a default. */
const SETTINGS = { RATE_LIMIT: 'off', WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' }

/** One product with a database and a data folder of its own. It is used from outside, by its command and over HTTP. */
export class Site implements AsyncDisposable {
  readonly product: Product
  readonly setting: Setting
  /** The server that its database is on, if it is on one. */
  readonly database: DatabaseServer | undefined
  readonly #home: Home
  readonly #name: string

  private constructor(from: Pick<Site, 'product' | 'setting' | 'database'>, home: Home, name: string) {
    this.product = from.product
    this.setting = from.setting
    this.database = from.database
    this.#home = home
    this.#name = name
  }

  static async make(product: Product, setting: Setting): Promise<Site> {
    const database = product.store === 'postgres' ? await setting.database() : undefined
    const site = await Site.#make({ product, setting, database })
    await site.command('migrate')
    return site
  }

  static async #make(from: Pick<Site, 'product' | 'setting' | 'database'>, template?: string): Promise<Site> {
    const name = `bench_${process.pid}_${++sites}`
    await from.database?.create(name, template)
    const onServer = from.database && { DATABASE_URL: from.database.urlOf(name) }
    return new Site(from, await Home.make({ ...SETTINGS, ...onServer }, from.setting.scratch), name)
  }

  /** Of one that does not run. */
  async copy(): Promise<Site> {
    const site = await Site.#make(this, this.#name)
    await cp(this.folder, site.folder, { recursive: true })
    return site
  }

  get folder(): string {
    return this.#home.folder
  }

  /** What the command prints. */
  async command(...args: readonly string[]): Promise<string> {
    return (await this.run(...args)).printed
  }

  /** @throws {Error} the command did not end with 0 */
  async run(...args: readonly string[]): Promise<Ended> {
    const began = performance.now()
    const command = new Service({ command: [this.product.program] }, this.#home, args)
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, peak(command.pid) || 0)
    }, SAMPLE_EVERY)
    const { code } = await command.ended.finally(() => clearInterval(timer))
    if (code !== DONE) throw new Error(`rollcall ${args.join(' ')} ended with ${code}: ${command.stderr}`)
    return { printed: command.stdout, seconds: (performance.now() - began) / 1_000, peak: most }
  }

  /** A file with these rows, a line each. */
  async file(rows: Iterable<object | string>): Promise<string> {
    const file = path.join(this.folder, 'rows.ndjson')
    await writeFile(file, linesOf(rows))
    return file
  }

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

  async start(settings: Settings = {}, core: Core = 'server', environment: NodeJS.ProcessEnv = {}): Promise<Server> {
    const port = await freePort()
    const own = { ...this.#home.environment, ...prefixed({ PORT: `${port}`, ...settings }) }
    return await Server.start({
      ...{ command: [this.product.program, 'serve'], cwd: this.folder, core, port, readiness: '/readyz' },
      // Whoever starts it has no such cache.
      env: { ...own, NODE_COMPILE_CACHE: undefined, ...this.setting.environment, ...environment },
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#home[Symbol.asyncDispose]()
    await this.database?.drop(this.#name)
  }
}
