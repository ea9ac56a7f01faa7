import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isExhaustion } from './postgres-error.ts'

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** Milliseconds that a server has for its goodbye. */
const GOODBYE = 500

/** Connections to whichever of several servers takes writes. */
export class ServerPool extends pg.Pool {
  readonly #servers: number
  readonly #open = new Set<pg.PoolClient>()
  readonly #madeIn = new WeakMap<pg.PoolClient, number>()
  #generation = 0

  /** `servers` is how many have to be tried before giving up. */
  constructor(config: pg.PoolConfig, servers: number) {
    super(config)
    this.#servers = servers
    this.on('connect', (client) => {
      this.#open.add(client)
      this.#madeIn.set(client, this.#generation)
      client.once('end', () => this.#open.delete(client))
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: OnConnected): void
  override connect(callback?: OnConnected): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect()
    if (callback === undefined) return connecting
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release === true)),
      (error: Error) => callback(error, undefined, () => undefined),
    )
    return undefined
  }

  /** This connection is lost: so may be all that were made before now. None of them is lent again. */
  distrust(lost: pg.PoolClient): void {
    if (this.#madeIn.get(lost) === this.#generation) this.#generation++
  }

  /** Waits until every connection is returned, but not for a silent server. */
  async close(): Promise<void> {
    await this.end()
    if (this.#open.size > 0) await Promise.race([this.#allClosed(), sleep(GOODBYE)])
    for (const client of this.#open) client.connection.stream.destroy()
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let tries = 1; ; ) {
      try {
        const client = await super.connect()
        if (this.#madeIn.get(client) === this.#generation) return client
        client.release(true)
        client.connection.stream.destroy()
      } catch (error) {
        if (tries >= this.#servers || isExhaustion(error)) throw error
        tries++
      }
    }
  }

  async #allClosed(): Promise<void> {
    await Promise.all(
      [...this.#open].map((client) => new Promise((resolve) => client.once('end', () => resolve(true)))),
    )
  }
}
