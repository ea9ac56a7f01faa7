import path from 'node:path'
import type { Injection } from '../fault-injection/fault-injection.ts'
import { Ledger } from '../ledger/ledger.ts'
import { Relay } from '../relay/relay.ts'
import { Client } from '../service/client.ts'
import { fromSource, Home, type Program, Service } from '../service/service.ts'
import { PostgresStore } from '../stores/postgres-store.ts'
import { SqliteStore } from '../stores/sqlite-store.ts'
import type { Store } from '../stores/store.ts'

interface FixtureOptions {
  /** SQLite unless given. */
  readonly store?: 'sqlite' | 'postgres' | undefined
  /** The URL of a PostgreSQL server, where the store is to be on one; a function, where that may change. */
  readonly server?: string | (() => string) | undefined
  /** The port that clients connect to, where a proxy is in front. */
  readonly front?: number | undefined
  /** The URL by which the service reaches its database, where it is not the database's own. */
  readonly through?: ((url: string) => string) | undefined
  /** By their names without the prefix. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** What is done to the source, where that is run. */
  readonly injection?: Injection | undefined
}

/** One service with everything that it needs, and what is known of it from outside. */
export class Fixture implements AsyncDisposable {
  readonly ledger: Ledger
  readonly relay: Relay
  readonly home: Home
  readonly store: Store
  readonly client: Client
  /** Milliseconds that each start took. */
  readonly startTimes: number[] = []
  #program: Program
  #service: Service | undefined

  private constructor(
    parts: { ledger: Ledger; relay: Relay; home: Home; store: Store; client: Client },
    program?: Program,
  ) {
    this.ledger = parts.ledger
    this.relay = parts.relay
    this.home = parts.home
    this.store = parts.store
    this.client = parts.client
    this.#program = program ?? fromSource()
  }

  static async create(options: FixtureOptions = {}): Promise<Fixture> {
    const { store = 'sqlite', server = '', through = (url) => url, settings = {}, program, injection, front } = options
    const ledger = new Ledger(undefined, { proxied: front !== undefined })
    const relay = await Relay.open((mail) => ledger.received(mail))
    const postgres = store === 'postgres' ? await PostgresStore.make(server) : undefined
    const database: Record<string, string> = postgres ? { DATABASE_URL: through(postgres.url) } : {}
    const home = await Home.make({ SMTP_URL: relay.url, ...database, ...settings })
    const client = new Client(front ?? home.port)
    const sqlite = postgres ? undefined : new SqliteStore(path.join(home.data, 'rollcall.db'))
    const parts = { ledger, relay, home, client, store: postgres ?? (sqlite as Store) }
    const fixture = new Fixture(parts, program)
    if (injection) fixture.inject(injection)
    return fixture
  }

  /** From now on the source is run with this injection. */
  inject(injection: Injection): void {
    this.#program = fromSource(injection, path.join(this.home.folder, 'injection.json'))
  }

  /** The service, started; it may fail to become ready. */
  launch(): Service {
    this.#service = this.begin('serve')
    return this.#service
  }

  /** The service, started and ready; undefined, and a finding, where it did not become ready by itself. */
  async start(): Promise<Service | undefined> {
    const service = this.launch()
    if (await service.ready(this.client)) {
      this.startTimes.push(service.readyIn)
      return service
    }
    await service.kill()
    this.ledger.report('I7', `the service was not ready by itself. ${service.stderr}`)
    return undefined
  }

  /**
   * As `start`, for what makes no sense without a service.
   * @throws {Error} it did not become ready
   */
  async mustStart(): Promise<Service> {
    const service = await this.start()
    this.client.hangUp()
    if (service === undefined) throw new Error(this.ledger.findings.at(-1)?.message)
    return service
  }

  /** After its death: the ledger knows when, the client has no connections, and the store is at rest. */
  async bury(): Promise<void> {
    this.ledger.died()
    this.relay.processNumber++
    this.client.hangUp()
    await this.store.settled()
  }

  /** A command of the service, begun. */
  begin(...args: readonly string[]): Service {
    return this.beginIn(this.home, ...args)
  }

  /** The same for another instance. */
  beginIn(home: Home, ...args: readonly string[]): Service {
    return Service.start(this.#program, home, ...args)
  }

  /** What a command of the service prints; undefined, and a finding, where it fails. */
  async command(...args: readonly string[]): Promise<string | undefined> {
    const command = this.begin(...args)
    const { code } = await command.ended
    if (code === 0) return command.stdout
    this.ledger.report('I7', `rollcall ${args.join(' ')} ended with ${code}: ${command.stdout}${command.stderr}`)
    return undefined
  }

  /** An access token; empty, and a finding, where there is none. */
  async token(subject: string, role: string): Promise<string> {
    const printed = await this.command('token', 'issue', '--subject', subject, '--role', role, '--ttl', '1d')
    return printed?.trim() ?? ''
  }

  /** The status that a request is answered with; the ledger does not hear of it. */
  async ask(method: string, path: string, { token = '', body }: { token?: string; body?: object } = {}) {
    const answer = await fetch(`http://127.0.0.1:${this.home.port}${path}`, {
      method,
      headers: {
        Connection: 'close',
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#service?.isRunning) await this.#service.kill()
    this.client.hangUp()
    await this.relay[Symbol.asyncDispose]()
    await this.store[Symbol.asyncDispose]()
    await this.home[Symbol.asyncDispose]()
  }
}
