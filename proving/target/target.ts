import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { lookAt } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { forgetPeak, peakResidentBytes, processorTime, residentBytes } from '../shared/process-figures.ts'
import { Home, type Program, Service } from '../shared/service.ts'
import { type Answer, type Asking, ask } from './wire.ts'

/** What is to be tried, and on what. */
export interface Given {
  /** The packed product, or the source. */
  readonly product: () => Program
  /** Of a PostgreSQL server; on SQLite without one. */
  readonly server?: string | undefined
}

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const LONGEST_START = 60_000
const PATIENCE = 60_000
let databases = 0

/** @throws {Error} it does not come true within so many milliseconds */
export const waitUntil = async (
  comesTrue: () => boolean | Promise<boolean>,
  what: string,
  within = PATIENCE,
): Promise<void> => {
  for (const end = performance.now() + within; performance.now() < end; await sleep(20)) if (await comesTrue()) return
  throw new Error(`waited in vain for: ${what}`)
}

/** Of a new database on the server, which goes with the stack. `server` is a function if another one may take over. */
export const newDatabase = async (owned: AsyncDisposableStack, server: () => string): Promise<string> => {
  const name = `proving_${process.pid}_${Date.now()}_${++databases}`
  await lookAt(server(), (client) => client.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`))
  owned.defer(() =>
    lookAt(server(), async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    }),
  )
  return Object.assign(new URL(server()), { pathname: `/${name}` }).href
}

/** A service in a folder and on a database of its own, with every listener that there is. */
export class Target implements AsyncDisposable {
  readonly home: Home
  readonly ports: Readonly<Record<'public' | 'console' | 'metrics', number>>
  /** On a PostgreSQL server, if it is on one. */
  readonly database: string | undefined
  readonly #program: Program
  readonly #owned: AsyncDisposableStack
  #service: Service | undefined

  private constructor(
    parts: Pick<Target, 'home' | 'ports' | 'database'> & { readonly program: Program },
    owned: AsyncDisposableStack,
  ) {
    this.home = parts.home
    this.ports = parts.ports
    this.database = parts.database
    this.#program = parts.program
    this.#owned = owned
  }

  /** Not started yet. `settings` by their names without the prefix. */
  static async make({ product, server }: Given, settings: Readonly<Record<string, string>> = {}): Promise<Target> {
    await using owned = new AsyncDisposableStack()
    const database = server === undefined ? undefined : await newDatabase(owned, () => server)
    const [console, metrics] = [await freePort(), await freePort()]
    const all = {
      CONSOLE_PORT: `${console}`,
      METRICS_PORT: `${metrics}`,
      ...(database === undefined ? {} : { DATABASE_URL: database }),
      ...settings,
    }
    const home = owned.use(await Home.make(all))
    const ports = { public: home.port, console, metrics }
    return new Target({ home, ports, database, program: product() }, owned.move())
  }

  /** Ready. */
  static async open(...order: Parameters<typeof Target.make>): Promise<Target> {
    const target = await Target.make(...order)
    try {
      await target.start()
      return target
    } catch (error) {
      await target[Symbol.asyncDispose]()
      throw error
    }
  }

  get port(): number {
    return this.ports.public
  }

  get service(): Service {
    if (this.#service === undefined) throw new Error('the service was not started')
    return this.#service
  }

  /** @throws {Error} it did not become ready */
  async start(): Promise<void> {
    this.#service = Service.start(this.#program, this.home, 'serve')
    if (await this.#service.comesTo(200, LONGEST_START)) return
    await this.#service.kill()
    throw new Error(`the service did not become ready. ${this.#service.stdout}${this.#service.stderr}`)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.service.signal(signal)
    await this.service.ended
  }

  /** A command, to its end. */
  run(args: readonly string[], input = ''): Promise<Ran> {
    const env = { ...this.home.environment, ...this.#program.env }
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [...this.#program.args, ...args],
        { cwd: this.home.folder, env },
        (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      )
      child.stdin?.on('error', () => undefined).end(input)
    })
  }

  /** What a command prints. @throws {Error} it did not succeed */
  async succeed(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args)
    if (code !== 0) throw new Error(`rollcall ${args.join(' ')} ended with ${code}. ${stderr}`)
    return stdout
  }

  async token(subject: string, ...roles: readonly string[]): Promise<string> {
    const holding = roles.flatMap((role) => ['--role', role])
    return (await this.succeed('token', 'issue', '--subject', subject, ...holding)).trim()
  }

  ask(line: string, asking: Asking = {}): Promise<Answer> {
    return ask(this.port, line, asking)
  }

  signUp(email: string): Promise<Answer> {
    return this.ask('POST /subscribe', { form: { email } })
  }

  /** Seconds of a processor that it has used so far, all threads. */
  get busy(): number {
    return processorTime(this.service.pid).busy
  }

  /** Does the work; gives what it found, and by how many megabytes the service grew meanwhile at most. */
  async growthDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; megabytes: number }> {
    const { pid } = this.service
    forgetPeak(pid)
    const before = residentBytes(pid)
    const result = await work()
    if (!this.service.isRunning) throw new Error(`the service ended by itself. ${this.service.stderr}`)
    return { result, megabytes: Math.max(0, peakResidentBytes(pid) - before) / 1e6 }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.kill()
    await this.#owned.disposeAsync()
  }
}
