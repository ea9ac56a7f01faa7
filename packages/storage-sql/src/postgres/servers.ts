import pg from 'pg'

/** Where one server listens. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Milliseconds within which a connection is made, however many servers have to be tried for it. */
const CONNECT_TIMEOUT = 5_000

/** The servers of one database, of which one takes writes: as long as that does, all go to it. */
export class Servers {
  readonly #endpoints: readonly [Endpoint, ...Endpoint[]]
  #preferred: Endpoint

  constructor(endpoints: readonly [Endpoint, ...Endpoint[]]) {
    this.#endpoints = endpoints
    this.#preferred = endpoints[0]
  }

  get count(): number {
    return this.#endpoints.length
  }

  /** Milliseconds that one of them has to let somebody in. */
  get timeout(): number {
    return CONNECT_TIMEOUT / this.count
  }

  get preferred(): Endpoint {
    return this.#preferred
  }

  /** This server does not take writes, or not now: the next connection tries the one after it. */
  passOver(endpoint: Endpoint): void {
    if (this.#preferred !== endpoint) return
    const next = (this.#endpoints.indexOf(endpoint) + 1) % this.count
    this.#preferred = this.#endpoints[next] ?? this.#endpoints[0]
  }
}

/** A client that goes to the server that is preferred when it is made, and says so if it is not let in. */
export class ServerClient extends pg.Client {
  readonly #servers: Servers
  readonly #endpoint: Endpoint

  constructor(servers: Servers, config: pg.ClientConfig = {}) {
    const endpoint = servers.preferred
    // The pool hides the password from those who enumerate.
    super({ ...config, ...endpoint, password: config.password, connectionTimeoutMillis: servers.timeout })
    this.#servers = servers
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

  /** To be called where it has been let in, but the server is of no use. */
  turnAway(): void {
    this.#servers.passOver(this.#endpoint)
    this.connection.stream.destroy()
  }
}

/** Takes an address with several servers apart: `postgres://user@one:5432,two:5433/db` into one URL for each. */
export const urlsOf = (text: string): readonly (URL | null)[] => {
  const [, before = '', hosts, after = ''] = ADDRESS.exec(text) ?? []
  return hosts === undefined ? [null] : hosts.split(',').map((host) => URL.parse(`${before}${host}${after}`))
}

// What is before the last @ of the authority is the user and the password.
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/s

const DEFAULT_PORT = 5432

export const endpointOf = (url: URL): Endpoint => ({
  host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '') || 'localhost'),
  port: url.port === '' ? DEFAULT_PORT : Number(url.port),
})

/** As it is called in messages. */
export const nameOf = ({ host, port }: Endpoint): string => (host.startsWith('/') ? host : `${host}:${port}`)
