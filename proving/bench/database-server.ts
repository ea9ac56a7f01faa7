import { chmod } from 'node:fs/promises'
import type pg from 'pg'
import {
  lookAt,
  type PostgresServer,
  startPostgres,
} from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { busyTree } from '../shared/processes.ts'
import { pinSelf } from './cores.ts'

/** A PostgreSQL server as durable as it is by default, on the core of the servers. */
export class DatabaseServer implements AsyncDisposable {
  readonly #server: PostgresServer

  private constructor(server: PostgresServer) {
    this.#server = server
  }

  static async start(scratch: string): Promise<DatabaseServer> {
    // The account that the server runs under must be able to enter.
    await chmod(scratch, 0o711)
    pinSelf('server')
    const server = await startPostgres({}, scratch).finally(() => pinSelf('load'))
    return new DatabaseServer(server)
  }

  urlOf(database: string): string {
    return Object.assign(new URL(this.#server.url), { pathname: database }).href
  }

  /** Seconds of a processor that it has used. */
  get busy(): number {
    return busyTree(this.#server.pid)
  }

  /** Statements to the server itself, or to a peer's database. */
  async run(statement: string, database = 'postgres', ...values: readonly unknown[]): Promise<pg.QueryResult> {
    return await lookAt(this.urlOf(database), (client) => client.query(statement, [...values]))
  }

  async create(database: string, template = 'template0'): Promise<void> {
    await this.run(`CREATE DATABASE ${database} TEMPLATE ${template}`)
    // So that no turn pays for the one before.
    await this.run('CHECKPOINT')
  }

  async drop(database: string): Promise<void> {
    await this.run(`DROP DATABASE ${database} WITH (FORCE)`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop()
  }
}
