import { setTimeout as sleep } from 'node:timers/promises'
import { lookAt, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import type { Store } from './store.ts'

/** A server on which databases can be created. */
export interface PostgresServer {
  readonly url: string
  stop(): Promise<void>
}

/** The one that `TEST_POSTGRES_URL` names, or a private one as durable as PostgreSQL is by default. */
export const somePostgres = async (settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> => {
  const given = process.env.TEST_POSTGRES_URL
  return given ? { url: given, stop: async () => undefined } : await startPostgres(settings)
}

const OTHERS = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = $1 AND pid <> pg_backend_pid() AND backend_type = 'client backend'`

let databases = 0

/** A database of its own, empty at first. */
export class PostgresStore implements Store {
  readonly #name: string
  readonly #server: () => string

  private constructor(server: () => string, name: string) {
    this.#server = server
    this.#name = name
  }

  /** `server` is a function if another server may take over. */
  static async make(server: string | (() => string)): Promise<PostgresStore> {
    const name = `proving_${process.pid}_${Date.now()}_${++databases}`
    const serverNow = typeof server === 'string' ? () => server : server
    await lookAt(serverNow(), (client) => client.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`))
    return new PostgresStore(serverNow, name)
  }

  get url(): string {
    return Object.assign(new URL(this.#server()), { pathname: `/${this.#name}` }).href
  }

  async settled(): Promise<void> {
    await this.#untilNone(OTHERS)
  }

  async idle(): Promise<void> {
    await this.#untilNone(`${OTHERS} AND state <> 'idle'`)
  }

  async #untilNone(counting: string): Promise<void> {
    await lookAt(this.url, async (client) => {
      while ((await client.query<{ count: number }>(counting, [this.#name])).rows[0]?.count !== 0) await sleep(5)
    })
  }

  async damage(): Promise<readonly string[]> {
    // Every row of every table is read, and every index is compared with its table.
    const check = `SELECT c.oid::regclass::text AS name, bt_index_check(c.oid, true) FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE a.amname = 'btree' AND c.relpersistence = 'p' AND i.indisvalid AND c.relnamespace = 'public'::regnamespace`
    return await lookAt(this.url, async (client) => {
      await client.query('CREATE EXTENSION IF NOT EXISTS amcheck')
      return await client.query(check).then(
        () => [],
        (error: Error) => [error.message],
      )
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await lookAt(this.#server(), (client) => client.query(`DROP DATABASE IF EXISTS ${this.#name} WITH (FORCE)`))
  }
}
