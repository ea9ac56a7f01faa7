import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { type PostgresServer, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { processorTimeOfTree } from '../../reliability/service/process-figures.ts'
import { childrenOf } from '../../reliability/service/process-tree.ts'
import { query } from '../postgres/query.ts'

/** A PostgreSQL server as durable as it is by default, on one core. */
export class DatabaseServer implements AsyncDisposable {
  readonly url: string
  readonly #server: PostgresServer

  private constructor(server: PostgresServer) {
    this.url = server.url
    this.#server = server
  }

  static async start(scratch: string, core: number | undefined): Promise<DatabaseServer> {
    // The account that the server runs under must be able to enter.
    await chmod(scratch, 0o711)
    const server = await startPostgres({}, scratch)
    // What it starts from now on inherits it.
    if (core !== undefined)
      for (const pid of [server.pid, ...childrenOf(server.pid)])
        execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${core}`, `${pid}`], { stdio: 'ignore' })
    return new DatabaseServer(server)
  }

  /** Seconds of a processor that it has used, connections that have ended included. */
  get busy(): number {
    return processorTimeOfTree(this.#server.pid)
  }

  /** So that no turn pays for the one before. */
  async settle(): Promise<void> {
    await query(this.url, 'CHECKPOINT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop()
  }
}
