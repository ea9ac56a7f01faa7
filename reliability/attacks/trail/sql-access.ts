import { copyFile, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { Connection } from '../../../packages/storage-sql/src/sqlite/driver.ts'
import type { Target } from '../target.ts'

/** Somebody who may do anything to the database, and knows no secret of the service. The service is stopped. */
export interface SqlAccess extends AsyncDisposable {
  run(statements: readonly string[]): Promise<void>
  /** The one value that the query finds. */
  value(query: string): Promise<unknown>
  /** Keeps the state under this name. */
  keep(name: string): Promise<void>
  /** Puts the database back to a state that was kept. */
  putBack(name: string): Promise<void>
}

const GUARDS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"

class SqliteAccess implements SqlAccess {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  async run(statements: readonly string[]): Promise<void> {
    const database = new Connection(this.#file)
    try {
      database.pragma('foreign_keys = OFF')
      // Triggers guard the trail; afterwards they are back as if nothing had happened.
      const guards = database.prepare<[], { name: string; sql: string }>(GUARDS).all()
      for (const { name } of guards) database.exec(`DROP TRIGGER ${name}`)
      for (const statement of statements) database.exec(statement)
      for (const { sql } of guards) database.exec(sql)
    } finally {
      database.close()
    }
  }

  async value(query: string): Promise<unknown> {
    const database = new Connection(this.#file)
    try {
      return database.prepare(query).pluck().get()
    } finally {
      database.close()
    }
  }

  async keep(name: string): Promise<void> {
    // So that the file alone has everything.
    await this.value('PRAGMA wal_checkpoint(TRUNCATE)')
    await copyFile(this.#file, `${this.#file}-${name}.kept`)
  }

  async putBack(name: string): Promise<void> {
    for (const ending of ['-wal', '-shm']) await rm(`${this.#file}${ending}`, { force: true })
    await copyFile(`${this.#file}-${name}.kept`, this.#file)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The files go with their folder.
  }
}

class PostgresAccess implements SqlAccess {
  readonly #url: string
  readonly #server: string
  readonly #kept = new Set<string>()

  constructor(url: string, server: string) {
    this.#url = url
    this.#server = server
  }

  async run(statements: readonly string[]): Promise<void> {
    await using client = await connected(this.#url)
    // A superuser passes triggers so.
    await client.query('SET session_replication_role = replica')
    for (const statement of statements) await client.query(statement)
  }

  async value(query: string): Promise<unknown> {
    await using client = await connected(this.#url)
    const { rows } = await client.query<Record<string, unknown>>(query)
    return Object.values(rows[0] ?? {})[0]
  }

  async keep(name: string): Promise<void> {
    await using client = await connected(this.#server)
    await client.query(`CREATE DATABASE ${this.#name}_${name} TEMPLATE ${this.#name}`)
    this.#kept.add(`${this.#name}_${name}`)
  }

  async putBack(name: string): Promise<void> {
    await using client = await connected(this.#server)
    await client.query(`DROP DATABASE ${this.#name} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${this.#name} TEMPLATE ${this.#name}_${name}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using client = await connected(this.#server)
    for (const name of this.#kept) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }

  get #name(): string {
    return new URL(this.#url).pathname.slice(1)
  }
}

const connected = async (url: string) => {
  const client = new pg.Client(url)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

export const sqlAccess = ({ home, database }: Target, server = ''): SqlAccess =>
  database === undefined ? new SqliteAccess(path.join(home.data, 'rollcall.db')) : new PostgresAccess(database, server)
