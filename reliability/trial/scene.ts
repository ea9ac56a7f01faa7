import path from 'node:path'
import { Ledger } from '../ledger/ledger.ts'
import { Relay } from '../relay/relay.ts'
import { Client } from '../service/client.ts'
import { Home } from '../service/home.ts'
import type { Program } from '../service/program.ts'
import { Service } from '../service/service.ts'
import { PostgresStore } from '../stores/postgres-store.ts'
import { SqliteStore } from '../stores/sqlite-store.ts'
import type { Store } from '../stores/store.ts'

export interface SceneOrder {
  readonly store: 'sqlite' | 'postgres'
  /** Of a PostgreSQL server, where the store is to be on one. */
  readonly server?: string | undefined
  /** By what way the service goes to its database, where it is not the straight one. */
  readonly through?: ((url: string) => string) | undefined
}

/** One service with all that it needs, and what is known of it from outside. */
export class Scene implements AsyncDisposable {
  readonly ledger: Ledger
  readonly relay: Relay
  readonly home: Home
  readonly store: Store
  readonly client: Client
  /** Milliseconds that each start took. */
  readonly startTimes: number[] = []
  #service: Service | undefined

  private constructor(parts: { ledger: Ledger; relay: Relay; home: Home; store: Store }) {
    this.ledger = parts.ledger
    this.relay = parts.relay
    this.home = parts.home
    this.store = parts.store
    this.client = new Client(parts.home.port)
  }

  static async set({ store, server = '', through = (url) => url }: SceneOrder): Promise<Scene> {
    const ledger = new Ledger()
    const relay = await Relay.open((mail) => ledger.received(mail))
    const postgres = store === 'postgres' ? await PostgresStore.make(server) : undefined
    const settings = { SMTP_URL: relay.url, ...(postgres ? { DATABASE_URL: through(postgres.url) } : {}) }
    const home = await Home.make(settings)
    return new Scene({ ledger, relay, home, store: postgres ?? new SqliteStore(path.join(home.data, 'rollcall.db')) })
  }

  /** The service, started; whatever becomes of it. */
  launch(program: Program): Service {
    this.#service = Service.start(program, this.home, 'serve')
    return this.#service
  }

  /** The service, started and ready; undefined, and a finding, where it did not get there by itself. */
  async start(program: Program): Promise<Service | undefined> {
    const service = this.launch(program)
    if (await service.ready(this.client)) {
      this.startTimes.push(service.readyIn)
      return service
    }
    await service.kill()
    this.ledger.report('I7', `the service was not ready by itself. ${service.stderr}`)
    return undefined
  }

  /** What is left when it is dead: the ledger knows when, the client has no connection, the store is at rest. */
  async bury(): Promise<void> {
    this.ledger.died()
    this.relay.life++
    this.client.hangUp()
    await this.store.settled()
  }

  /** A command of the service, begun; whatever becomes of it. */
  begin(program: Program, ...args: readonly string[]): Service {
    return Service.start(program, this.home, ...args)
  }

  /** What a command of the service prints; undefined, and a finding, where it does not come to a good end. */
  async command(program: Program, ...args: readonly string[]): Promise<string | undefined> {
    const command = this.begin(program, ...args)
    const { code } = await command.ended
    if (code === 0) return command.stdout
    this.ledger.report('I7', `rollcall ${args.join(' ')} ended with ${code}: ${command.stdout}${command.stderr}`)
    return undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#service?.isRunning) await this.#service.kill()
    this.client.hangUp()
    await this.relay[Symbol.asyncDispose]()
    await this.store[Symbol.asyncDispose]()
    await this.home[Symbol.asyncDispose]()
  }
}
