import path from 'node:path'
import { freePort } from '../../packages/app/test/free-port.ts'
import type { OutputListener } from './child.ts'
import { PostgresStore } from './postgres-store.ts'
import { busy, forgetPeak, peak, resident } from './processes.ts'
import { fromSource, Home, type Program, Service } from './service.ts'
import { type Store, sqliteStore } from './store.ts'
import { type Answer, type Asking, ask } from './wire.ts'

/** What is to be tried, and on what. */
export interface Given {
  /** The source unless given. */
  readonly program?: Program | undefined
  /** Of a PostgreSQL server; a function if another one may take over. On SQLite without one. */
  readonly server?: string | (() => string) | undefined
  /** The URL by which the service reaches its database, if it is not the database's own. */
  readonly through?: ((url: string) => string) | undefined
  /** Hears what the service prints. */
  readonly onOutput?: OutputListener | undefined
}

/** Settings by their names without the prefix. */
export type Settings = Readonly<Record<string, string>>

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Settings with which a service has all listeners that there are. */
export const allListeners = async (): Promise<Settings> => {
  return { CONSOLE_PORT: `${await freePort()}`, METRICS_PORT: `${await freePort()}` }
}

interface Parts extends Pick<Given, 'onOutput'> {
  readonly home: Home
  readonly store: Store
  readonly program: Program
}

/** A service in a folder and on a database of its own. */
export class Target implements AsyncDisposable {
  readonly home: Home
  readonly store: Store
  readonly #program: Program
  readonly #onOutput: OutputListener | undefined
  readonly #owned: AsyncDisposableStack
  #service: Service | undefined

  private constructor({ home, store, program, onOutput }: Parts, owned: AsyncDisposableStack) {
    this.home = home
    this.store = store
    this.#program = program
    this.#onOutput = onOutput
    this.#owned = owned
  }

  /** Not started yet. */
  static async make(given: Given = {}, settings: Settings = {}): Promise<Target> {
    const { program = fromSource(), server, through = (url) => url, onOutput } = given
    await using owned = new AsyncDisposableStack()
    const postgres = server === undefined ? undefined : owned.use(await PostgresStore.make(server))
    const home = owned.use(await Home.make({ ...(postgres && { DATABASE_URL: through(postgres.url) }), ...settings }))
    const store = postgres ?? sqliteStore(path.join(home.data, 'rollcall.db'))
    return new Target({ home, store, program, onOutput }, owned.move())
  }

  /** Ready. */
  static async open(given?: Given, settings?: Settings): Promise<Target> {
    const target = await Target.make(given, settings)
    try {
      await target.start()
      return target
    } catch (error) {
      await target[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Another instance of the same service: on the same database and data folder. Not started yet. */
  async beside(settings: Settings = {}): Promise<Target> {
    await using owned = new AsyncDisposableStack()
    const home = owned.use(await this.home.beside(settings))
    return new Target({ home, store: this.store, program: this.#program }, owned.move())
  }

  get port(): number {
    return this.home.port
  }

  /** Of a listener that the settings name. */
  get ports(): Readonly<Record<'public' | 'console' | 'metrics', number>> {
    const { CONSOLE_PORT, METRICS_PORT } = this.home.settings
    return { public: this.port, console: Number(CONSOLE_PORT), metrics: Number(METRICS_PORT) }
  }

  get service(): Service {
    if (this.#service === undefined) throw new Error('the service was not started')
    return this.#service
  }

  /** Begins to start; it may fail to become ready. */
  launch(): Service {
    this.#service = new Service(this.#program, this.home, ['serve'], this.#onOutput)
    return this.#service
  }

  /** @throws {Error} it did not become ready */
  async start(): Promise<void> {
    const service = this.launch()
    if (await service.ready()) return
    await service.kill()
    throw new Error(`the service did not become ready. ${service.stdout}${service.stderr}`)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.service.signal(signal)
    await this.service.ended
  }

  /** A command, begun. */
  begin(...args: readonly string[]): Service {
    return new Service(this.#program, this.home, args)
  }

  /** A command, to its end. */
  async run(...args: readonly string[]): Promise<Ran> {
    const command = this.begin(...args)
    const { code } = await command.ended
    return { code, stdout: command.stdout, stderr: command.stderr }
  }

  /** What a command prints. @throws {Error} it did not succeed */
  async succeed(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args)
    if (code !== 0) throw new Error(`rollcall ${args.join(' ')} ended with ${code}. ${stderr}`)
    return stdout
  }

  async token(subject: string, ...roles: readonly string[]): Promise<string> {
    const holding = roles.flatMap((role) => ['--role', role])
    return (await this.succeed('token', 'issue', '--subject', subject, '--ttl', '1d', ...holding)).trim()
  }

  ask(line: string, asking: Asking = {}): Promise<Answer> {
    return ask(this.port, line, asking)
  }

  signUp(email: string): Promise<Answer> {
    return this.ask('POST /subscribe', { form: { email } })
  }

  /** Seconds of a processor that it has used so far, all threads. */
  get busy(): number {
    return busy(this.service.pid)
  }

  /** Does the work; gives what it found, and by how many megabytes the service grew meanwhile at most. */
  async growthDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; megabytes: number }> {
    const { pid } = this.service
    forgetPeak(pid)
    const before = resident(pid)
    const result = await work()
    if (!this.service.isRunning) throw new Error(`the service ended by itself. ${this.service.stderr}`)
    return { result, megabytes: Math.max(0, peak(pid) - before) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.kill()
    await this.#owned.disposeAsync()
  }
}
