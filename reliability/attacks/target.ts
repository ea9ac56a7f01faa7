import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Client } from '../../proving/shared/client.ts'
import { PostgresStore } from '../../proving/shared/postgres-store.ts'
import { forgetPeak, peakResidentBytes, processorTime, residentBytes } from '../../proving/shared/process-figures.ts'
import { Home, type Program, Service } from '../../proving/shared/service.ts'
import type { AttackContext } from './attack.ts'

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** By listener. */
type Ports = Readonly<Record<'public' | 'console' | 'metrics', number>>

const QUIET = 300

/** The clients whose connections the process on this port still has, by their ports, as the kernel lists them. */
export const portsHeldBy = (port: number): ReadonlySet<number> => {
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/))
  const portIn = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16)
  // Without an inode it is the kernel's alone: the process has closed it.
  return new Set(rows.filter((row) => portIn(row[1]) === port && row[9] !== '0').map((row) => portIn(row[2])))
}

/** A service to be attacked, in a folder and on a database of its own. */
export class Target implements AsyncDisposable {
  readonly home: Home
  readonly client: Client
  /** The URL of its database on a PostgreSQL server, where it is on one. */
  readonly database: string | undefined
  readonly #program: Program
  readonly #owned: AsyncDisposableStack
  #service: Service | undefined

  private constructor(home: Home, program: Program, database: string | undefined, owned: AsyncDisposableStack) {
    this.home = home
    this.client = new Client(home.port)
    this.database = database
    this.#program = program
    this.#owned = owned
  }

  /** Not started yet. */
  static async make(
    { store, server = '', product }: AttackContext,
    settings: Readonly<Record<string, string>> = {},
    program: Program = product(),
  ): Promise<Target> {
    await using owned = new AsyncDisposableStack()
    const database = store === 'postgres' ? owned.use(await PostgresStore.make(server)).url : undefined
    const home = owned.use(
      await Home.make({ ...(database === undefined ? {} : { DATABASE_URL: database }), ...settings }),
    )
    return new Target(home, program, database, owned.move())
  }

  /** Ready to be attacked. */
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

  /** The same with all listeners that there are. */
  static async withEveryListener(context: AttackContext): Promise<Target & { readonly ports: Ports }> {
    const [console, metrics] = [await freePort(), await freePort()]
    const target = await Target.open(context, { CONSOLE_PORT: `${console}`, METRICS_PORT: `${metrics}` })
    return Object.assign(target, { ports: { public: target.port, console, metrics } })
  }

  get port(): number {
    return this.home.port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get service(): Service {
    if (this.#service === undefined) throw new Error('the service was not started')
    return this.#service
  }

  /** @throws {Error} it did not become ready */
  async start(): Promise<void> {
    this.#service = Service.start(this.#program, this.home, 'serve')
    if (await this.#service.ready(this.client)) return
    await this.#service.kill()
    throw new Error(`the service did not become ready. ${this.#service.stdout}${this.#service.stderr}`)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.client.hangUp()
    this.service.signal(signal)
    await this.service.ended
  }

  /** A command, to its end. */
  async run(...args: readonly string[]): Promise<Ran> {
    const command = Service.start(this.#program, this.home, ...args)
    const { code } = await command.ended
    return { code, stdout: command.stdout, stderr: command.stderr }
  }

  /** @throws {Error} it did not succeed */
  async succeed(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args)
    if (code !== 0) throw new Error(`rollcall ${args.join(' ')} ended with ${code}. ${stderr}`)
    return stdout
  }

  async token(subject: string, ...roles: readonly string[]): Promise<string> {
    const holding = roles.flatMap((role) => ['--role', role])
    return (await this.succeed('token', 'issue', '--subject', subject, ...holding)).trim()
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

  async calm(milliseconds = QUIET): Promise<void> {
    await sleep(milliseconds)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.hangUp()
    await this.#service?.kill()
    await this.#owned.disposeAsync()
  }
}
