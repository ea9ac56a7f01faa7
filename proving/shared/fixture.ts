import path from 'node:path'
import { Client } from './client.ts'
import { Ledger } from './ledger.ts'
import { PostgresStore } from './postgres-store.ts'
import { Relay } from './relay.ts'
import { fromSource, Home, type Program, Service } from './service.ts'
import { type Store, sqliteStore } from './store.ts'

interface FixtureOptions {
  /** SQLite unless given. */
  readonly store?: 'sqlite' | 'postgres' | undefined
  /** The URL of a PostgreSQL server, if the store is to be on one; a function, if that may change. */
  readonly server?: string | (() => string) | undefined
  /** A new one unless given. */
  readonly ledger?: Ledger | undefined
  /** Mails become files instead of being sent to the relay. */
  readonly mailsAsFiles?: boolean | undefined
  /** The port that clients connect to, if a proxy is in front. */
  readonly front?: number | undefined
  /** The URL by which the service reaches its database, if it is not the database's own. */
  readonly through?: ((url: string) => string) | undefined
  /** By their names without the prefix. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** What is run instead of the source. */
  readonly program?: Program | undefined
}

/** A mail that is not delivered yet, as `rollcall outbox list` shows it; it may also be a sign-up or an event. */
export interface Undelivered {
  readonly id: number | string
  readonly subscription_id?: number
  readonly message_id?: string
  readonly attempts?: number
  readonly parked_at: string | null
  readonly last_error: string | null
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
  readonly #program: Program
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
    const { store = 'sqlite', server = '', through = (url) => url, settings = {}, program, front } = options
    const ledger = options.ledger ?? new Ledger(undefined, { proxied: front !== undefined })
    const relay = await Relay.open((mail) => ledger.received(mail))
    const postgres = store === 'postgres' ? await PostgresStore.make(server) : undefined
    const database: Record<string, string> = postgres ? { DATABASE_URL: through(postgres.url) } : {}
    const home = await Home.make({ ...(options.mailsAsFiles ? {} : { SMTP_URL: relay.url }), ...database, ...settings })
    const client = new Client(front ?? home.port)
    const parts = { ledger, relay, home, client, store: postgres ?? sqliteStore(path.join(home.data, 'rollcall.db')) }
    return new Fixture(parts, program)
  }

  /** The service, started; it may fail to become ready. */
  launch(): Service {
    this.#service = this.begin('serve')
    return this.#service
  }

  /** The service, started and ready; undefined, and a finding, if it did not become ready by itself. */
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

  /** What a command of the service prints; undefined, and a finding, if it fails. */
  async command(...args: readonly string[]): Promise<string | undefined> {
    const command = this.begin(...args)
    const { code } = await command.ended
    if (code === 0) return command.stdout
    this.ledger.report('I7', `rollcall ${args.join(' ')} ended with ${code}: ${command.stdout}${command.stderr}`)
    return undefined
  }

  /** What is not delivered yet. */
  async outbox(): Promise<readonly Undelivered[]> {
    const printed = await this.command('outbox', 'list', '--json')
    return printed === undefined ? [] : JSON.parse(printed).items
  }

  /** An access token; empty, and a finding, if there is none. */
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
