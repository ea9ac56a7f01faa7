import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { tokenIdOf } from '../ledger/person.ts'
import {
  DELIVERY,
  type Look,
  MOVED,
  STATUS,
  type Store,
  type StoredMail,
  type StoredSubscription,
  type StoredUser,
} from './store.ts'

const COLUMNS = 'seq::float8, id::float8, feed, email, name, status'

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

let databases = 0

/** A database of its own, empty at first. */
export class PostgresStore implements Store {
  readonly #name: string
  readonly #server: () => string
  #client: pg.Client | undefined

  private constructor(server: () => string, name: string) {
    this.#server = server
    this.#name = name
  }

  /** `server` is a function where another server may take over. */
  static async make(server: string | (() => string)): Promise<PostgresStore> {
    const name = `reliability_${process.pid}_${Date.now()}_${++databases}`
    const serverNow = typeof server === 'string' ? () => server : server
    await command(serverNow(), `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
    return new PostgresStore(serverNow, name)
  }

  get url(): string {
    return Object.assign(new URL(this.#server()), { pathname: `/${this.#name}` }).href
  }

  async settled(): Promise<void> {
    const others = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()'
    const mine = [this.#name]
    while (((await this.#query(`${others} AND backend_type = 'client backend'`, mine)).rows[0]?.count ?? 0) > 0)
      await sleep(5)
  }

  async idle(): Promise<void> {
    const busy = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = $1 AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'`
    while (((await this.#query(busy, [this.#name])).rows[0]?.count ?? 0) > 0) await sleep(5)
  }

  async look({ subscriptions, after, users }: Parameters<Store['look']>[0]): Promise<Look> {
    const query = `SELECT ${COLUMNS} FROM subscription WHERE seq > $1 OR id = ANY ($2::bigint[])`
    const found = await this.#query<StoredSubscription>(query, [after, subscriptions])
    const kept = await this.#query<StoredUser>(
      'SELECT id, email, name, suspended_at FROM user_account WHERE id = ANY ($1)',
      [users],
    )
    const gone = await this.#query<{ id: string }>(
      'SELECT id FROM identity WHERE deleted_at IS NOT NULL AND id = ANY ($1)',
      [users],
    )
    const refused = await this.#query<{ jti: string }>('SELECT jti FROM revoked_token WHERE jti = ANY ($1)', [
      users.map(tokenIdOf),
    ])
    const moved = await this.#query<{ id: string | number }>(MOVED)
    const delivery = await this.#query<{ id: string | number; state: string }>(DELIVERY)
    return {
      subscriptions: found.rows.map(named),
      users: kept.rows,
      tombstones: new Set(gone.rows.map(({ id }) => id)),
      revoked: new Set(refused.rows.map(({ jti }) => jti)),
      moved: new Set(moved.rows.map(({ id }) => Number(id))),
      delivery: new Map(delivery.rows.map(({ id, state }) => [Number(id), state])),
    }
  }

  async all(): Promise<readonly StoredSubscription[]> {
    return (await this.#query<StoredSubscription>(`SELECT ${COLUMNS} FROM subscription`)).rows.map(named)
  }

  async pending(): Promise<readonly StoredMail[]> {
    const query = `SELECT subscription_id::float8 AS "subscriptionId", message_id AS "messageId",
      parked_at IS NOT NULL AS parked, last_error AS error FROM outbox`
    return (await this.#query<StoredMail>(query)).rows
  }

  async waitingRequests(): Promise<number> {
    return (await this.#query('SELECT 1 FROM sign_up_request')).rows.length
  }

  async damage(): Promise<readonly string[]> {
    // Every row of every table is read, and every index is compared with its table.
    await this.#query('CREATE EXTENSION IF NOT EXISTS amcheck')
    const query = `SELECT c.oid::regclass::text AS name, bt_index_check(c.oid, true) FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE a.amname = 'btree' AND c.relpersistence = 'p' AND i.indisvalid AND c.relnamespace = 'public'::regnamespace`
    try {
      await this.#query(query)
      return []
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  }

  async checkpoint(): Promise<void> {
    await this.#query('CHECKPOINT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.end()
    await command(this.#server(), `DROP DATABASE IF EXISTS ${this.#name} WITH (FORCE)`)
  }

  /** Over a connection of its own, reopened if the server has ended it. */
  async #query<Row extends pg.QueryResultRow = { count: number }>(text: string, values?: readonly unknown[]) {
    const client = this.#client ?? new pg.Client(this.url)
    if (this.#client === undefined) {
      client.on('error', () => undefined)
      client.once('end', () => {
        if (this.#client === client) this.#client = undefined
      })
      await client.connect()
      this.#client = client
    }
    return await client.query<Row>(text, values && [...values])
  }
}

const command = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const named = (row: StoredSubscription): StoredSubscription => ({ ...row, status: STATUS[row.status] ?? row.status })
