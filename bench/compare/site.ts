import { spawn } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'
import { query } from '../postgres/query.ts'
import { databaseIn, environment } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'

/** A packed product and where it may run. */
export interface Product {
  readonly name: 'before' | 'after'
  /** Its command. */
  readonly program: string
  readonly scratch: string
  /** Of a PostgreSQL server, where the store is on one. */
  readonly postgres: string | undefined
}

let sites = 0

/** One product with a database and a data folder of its own. It is used from outside, by its command and over HTTP. */
export class Site implements AsyncDisposable {
  readonly folder: string
  readonly #product: Product
  readonly #database: string | undefined

  private constructor(product: Product, folder: string, database: string | undefined) {
    this.folder = folder
    this.#product = product
    this.#database = database
  }

  /** A new one, or a copy of one that does not run. */
  static async make(product: Product, origin?: Site): Promise<Site> {
    const name = `compare_${process.pid}_${++sites}`
    const folder = path.join(product.scratch, name)
    const template = origin === undefined ? 'template0' : origin.#database
    if (product.postgres !== undefined) await query(product.postgres, `CREATE DATABASE ${name} TEMPLATE ${template}`)
    if (origin === undefined) await mkdir(folder)
    else await cp(origin.folder, folder, { recursive: true })
    const site = new Site(product, folder, product.postgres === undefined ? undefined : name)
    if (origin === undefined) await site.command('migrate')
    return site
  }

  /** What the command prints. */
  async command(...args: readonly string[]): Promise<string> {
    const { program } = this.#product
    const child = spawn(program, args, {
      cwd: this.folder,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
    const printed = await text(child.stdout)
    const code = await ended
    if (code !== 0) throw new Error(`rollcall ${args.join(' ')} ended with ${code}: ${printed.slice(-500)}`)
    return printed
  }

  /** An import of these rows. */
  async take(what: 'user' | 'subscription', rows: readonly object[], ...more: readonly string[]): Promise<void> {
    const file = path.join(this.folder, 'rows.ndjson')
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    await this.command(what, 'import', file, ...more)
    await rm(file)
  }

  /** `environment` holds what is not a setting. */
  async start(
    settings: Readonly<Record<string, string>>,
    core: number | undefined,
    environment: NodeJS.ProcessEnv = {},
  ): Promise<Server> {
    const port = await freePort()
    return await Server.start({
      ...{ program: this.#product.program, args: ['serve'], cwd: this.folder, port, core },
      env: { ...this.#environment({ PORT: `${port}`, ...settings }), ...environment },
      isReady: (status) => status === 200,
    })
  }

  /** Whether sign-ups that were answered wait to be decided on; never in a release that decides before it answers. */
  async hasUndecided(): Promise<boolean> {
    return await this.#finds('sign_up_request')
  }

  /** Whether mails wait to be sent. */
  async hasUnsent(): Promise<boolean> {
    return await this.#finds('outbox')
  }

  async #finds(table: string): Promise<boolean> {
    if (this.#url !== undefined) {
      const [row] = await query(this.#url, `SELECT to_regclass('${table}') IS NOT NULL AS there`)
      return row?.there === true && (await query(this.#url, `SELECT FROM ${table} LIMIT 1`)).length > 0
    }
    const file = new Connection(databaseIn(this.folder), { readonly: true })
    try {
      const there = file.prepare<string[], number>('SELECT count(*) FROM sqlite_schema WHERE name = ?').pluck()
      return there.get(table) === 1 && file.prepare(`SELECT 1 FROM ${table} LIMIT 1`).all().length > 0
    } finally {
      file.close()
    }
  }

  get #url(): string | undefined {
    return this.#database && Object.assign(new URL(this.#product.postgres ?? ''), { pathname: this.#database }).href
  }

  #environment(settings: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    return environment(this.folder, { ...(this.#url === undefined ? {} : { DATABASE_URL: this.#url }), ...settings })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true })
    if (this.#database !== undefined)
      await query(this.#product.postgres ?? '', `DROP DATABASE ${this.#database} WITH (FORCE)`)
  }
}
