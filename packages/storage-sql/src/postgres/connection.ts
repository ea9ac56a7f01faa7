import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { columnTypes } from './column-types.ts'
import {
  type ConnectionSettings,
  connectionSettings,
  currentLogin,
  type Endpoint,
  type Login,
} from './connection-settings.ts'
import { PoolerCheck } from './pooler-check.ts'
import { asNotUsable, isEnded, isExhaustion, isNoWelcome, isRefusedLogin, isUnsent } from './postgres-error.ts'
import { beginSession, join, LONGEST_WAIT, type Presence, requireServer } from './session.ts'

export type Connection = pg.PoolClient

/** Milliseconds. */
const LONGEST_STATEMENT = 10_000
/** A server that is there ends a statement itself; one that says nothing for so much longer is taken for gone. */
const LONGER_THAN_THE_SERVER = 2_000
/** Within which a connection is made, however many servers have to be tried for it. */
const CONNECT_TIMEOUT = 5_000
/**
 * So often it is tried if nothing comes of it. A balancer that has accepted a connection tries a lost server for
 * seconds, and would lead the next one to the new primary at once.
 */
const MOST_TRIES = 3
/** That a server has for its goodbye. */
const GOODBYE = 500

interface ConnectOptions {
  readonly onLoss?: ((error: Error) => void) | undefined
  /** Milliseconds. */
  readonly longestStatement?: number
  /** The URL as it is now: each connection is made with the user and the password that it has then. */
  readonly currentUrl?: (() => string) | undefined
  /** Lets others know that somebody works with the database. */
  readonly presence?: Presence | undefined
}

/**
 * What `begin` makes of connections to the server; they are closed if it fails.
 * @throws {StorageNotUsable} the server cannot be reached, or cannot keep the promises
 */
export const connect = async <Opened>(
  url: string,
  begin: (pool: ServerPool, server: string) => Promise<Opened>,
  { onLoss = () => undefined, longestStatement, currentUrl = () => url, presence }: ConnectOptions = {},
): Promise<Opened> => {
  const settings = connectionSettings(url)
  const pool = openPool(settings, onLoss, longestStatement, presence, currentLogin(url, currentUrl))
  try {
    await requireServer(pool, settings.server)
    return await begin(pool, settings.server)
  } catch (error) {
    await pool.close()
    throw asNotUsable(error, settings.server)
  }
}

/** Connections that keep the promises, to whichever server takes writes. Nothing is connected before it is asked for. */
export const openPool = (
  { pool, endpoints, schema, server }: ConnectionSettings,
  onLoss: (error: Error) => void,
  longestStatement = LONGEST_STATEMENT,
  presence?: Presence,
  login: () => Login = () => pool,
): ServerPool => {
  const servers = new Servers(endpoints)
  const Client = clientTo(servers, login)
  const pooler = new PoolerCheck(() => new Client(pool), server, onLoss)
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    try {
      await beginSession(client, { longestStatement, schema, firstAnswerTimeout: servers.timeout, pooler, server })
      if (presence !== undefined) await join(client, server, presence)
    } catch (error) {
      if (client instanceof Client) client.turnAway()
      throw error
    }
  }
  const opened = new ServerPool(
    {
      ...pool,
      Client,
      onConnect,
      types: columnTypes,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: LONGEST_WAIT,
      idleTimeoutMillis: 60_000,
      query_timeout: longestStatement + LONGER_THAN_THE_SERVER,
    },
    endpoints.length,
    pooler,
    login,
  )
  // A lost connection is replaced when it is needed, and the statement that used it fails. Only the message is passed on,
  // because the driver attaches the whole connection to the error.
  opened.on('error', ({ message }) => {
    pooler.forget()
    onLoss(new Error(message))
  })
  opened.on('connect', (client) => client.on('error', () => undefined))
  return opened
}

/** The servers of one database, of which one takes writes: as long as that does, all go to it. */
class Servers {
  readonly #endpoints: ConnectionSettings['endpoints']
  preferred: Endpoint
  /** Milliseconds that one of them has to accept a connection. */
  readonly timeout: number

  constructor(endpoints: ConnectionSettings['endpoints']) {
    this.#endpoints = endpoints
    this.preferred = endpoints[0]
    this.timeout = CONNECT_TIMEOUT / Math.max(endpoints.length, MOST_TRIES)
  }

  /** This server does not take writes, or not now: the next connection tries the one after it. */
  passOver(endpoint: Endpoint): void {
    if (this.preferred !== endpoint) return
    const next = (this.#endpoints.indexOf(endpoint) + 1) % this.#endpoints.length
    this.preferred = this.#endpoints[next] ?? this.#endpoints[0]
  }
}

/** A client that goes to the server that is preferred when it is made, and says so if it is not let in. */
const clientTo = (servers: Servers, login: () => Login) =>
  class extends pg.Client {
    readonly #endpoint: Endpoint

    constructor(config: pg.ClientConfig = {}) {
      const endpoint = servers.preferred
      const { user, password } = login()
      super({ ...config, ...endpoint, user, password, connectionTimeoutMillis: servers.timeout })
      this.#endpoint = endpoint
      let welcome = false
      this.once('connect', () => {
        welcome = true
      })
      for (const refusal of ['error', 'errorMessage', 'end'])
        this.connection.once(refusal, () => {
          if (!welcome) servers.passOver(endpoint)
        })
    }

    /** To be called if it has been let in, but the server is of no use. */
    turnAway(): void {
      servers.passOver(this.#endpoint)
      this.connection.stream.destroy()
    }
  }

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** Connections to whichever of several servers takes writes. */
export class ServerPool extends pg.Pool {
  readonly #servers: number
  readonly #open = new Set<pg.PoolClient>()
  readonly #madeIn = new WeakMap<pg.PoolClient, number>()
  #generation = 0
  readonly pooler: PoolerCheck
  readonly #login: () => Login

  /** `servers` is how many have to be tried before giving up. */
  constructor(config: pg.PoolConfig, servers: number, pooler: PoolerCheck, login: () => Login) {
    super(config)
    this.pooler = pooler
    this.#login = login
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
    if (this.#madeIn.get(lost) !== this.#generation) return
    this.#generation++
    this.pooler.forget()
  }

  /** Waits until every connection is returned, but not for a silent server. */
  async close(): Promise<void> {
    await this.end()
    const closed = [...this.#open].map((client) => new Promise((resolve) => client.once('end', resolve)))
    if (closed.length > 0) await Promise.race([Promise.all(closed), sleep(GOODBYE)])
    for (const client of this.#open) client.connection.stream.destroy()
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let tries = 1; ; ) {
      const login = this.#login()
      try {
        const client = await super.connect()
        if (this.#madeIn.get(client) === this.#generation) return client
        client.release(true)
        client.connection.stream.destroy()
      } catch (error) {
        if (isRefusedLogin(error) && this.#login() !== login) continue
        // Or it was cut off before it was asked anything, as when an administrator ends all of them.
        const isAgain = isNoWelcome(error) || isUnsent(error) || isEnded(error)
        const most = isAgain ? Math.max(this.#servers, MOST_TRIES) : this.#servers
        if (tries >= most || isExhaustion(error)) throw error
        tries++
      }
    }
  }
}
