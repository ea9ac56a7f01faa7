import { type Readers, Unavailable, type UnitOfWork } from '@rollcall/core'
import { StorageNotUsable } from '../storage-not-usable.ts'
import type { CreateUserRepository } from '../user-repository.ts'
import { openPool, requireServer } from './connection.ts'
import { connectionSettings } from './connection-settings.ts'
import { Connections } from './connections.ts'
import { durably } from './durably.ts'
import { Instance } from './instance.ts'
import { missing } from './migrate-postgres.ts'
import { asNotUsable, asUnavailable } from './postgres-error.ts'
import { PostgresUnitOfWork } from './postgres-unit-of-work.ts'
import { postgresReaders } from './stores/index.ts'
import { requireWholeDatabase } from './whole-database.ts'

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database?sslmode=...&pool=...` */
  readonly url: string
  /** Called when an idle connection was lost. No data is lost by it, and the connection is replaced. */
  readonly onConnectionLoss?: ((error: Error) => void) | undefined
  /** Makes the repository of a host that keeps users on tables of its own, in the same database. */
  readonly users?: CreateUserRepository | undefined
}

/**
 * Runs one statement, as `pg` has it. What an INSERT, UPDATE or DELETE writes is on disk once it is answered. Throws
 * `Unavailable` while storage is down.
 */
export interface PostgresClient {
  query(query: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<{ readonly rows: Record<string, unknown>[] }>
}

/** Every store on one PostgreSQL database, which other instances may share. */
export interface PostgresStorage {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  readonly migrations: { pending(): Promise<string[]> }
  /** A value that was settled, such as the fingerprint of a secret. */
  recall(name: string): Promise<string | undefined>
  /** Settles a value for as long as there is the database; what was settled first, be it by another process. */
  settle(name: string, value: string): Promise<string>
  /** Settles another value in place of what was settled before. */
  resettle(name: string, value: string): Promise<void>
  /** For what others keep in the same database. */
  readonly client: PostgresClient
  /** Finishes the units that have begun. Afterwards everything is `Unavailable`. Closing twice is closing once. */
  close(): Promise<void>
}

/**
 * Opens a database that is there and up to date.
 * @throws {StorageNotUsable} with what to do about it
 */
export const openPostgresStorage = async ({
  url,
  onConnectionLoss = () => undefined,
  users,
}: PostgresStorageOptions): Promise<PostgresStorage> => {
  const settings = connectionSettings(url)
  const pool = openPool(settings, onConnectionLoss, undefined, { present: true })
  const connections = new Connections(pool)
  try {
    await requireServer(pool, settings.server)
    if ((await missing(pool)).length > 0) throw outdated(settings.server)
    await requireWholeDatabase(pool, settings.server)
  } catch (error) {
    await connections.close()
    throw asNotUsable(error, settings.server)
  }
  const unitOfWork = new PostgresUnitOfWork(connections, users)
  const instance = new Instance(connections)
  const asAtOpening = async <Result>(result: Promise<Result>): Promise<Result> => {
    try {
      return await result
    } catch (error) {
      throw asNotUsable(error instanceof Unavailable ? (error.cause ?? error) : error, settings.server)
    }
  }
  let closing: Promise<void> | undefined
  return {
    unitOfWork,
    readers: postgresReaders(connections, users),
    migrations: {
      pending: async () => {
        try {
          return await missing(pool)
        } catch (error) {
          throw asUnavailable(error)
        }
      },
    },
    recall: (name) => asAtOpening(instance.recall(name)),
    settle: (name, value) => asAtOpening(instance.settle(name, value)),
    resettle: (name, value) => asAtOpening(instance.resettle(name, value)),
    client: { query: (query) => connections.query({ ...query, text: durably(query.text) }) },
    close: () => {
      closing ??= unitOfWork.close().then(() => connections.close())
      return closing
    },
  }
}

const outdated = (server: string) =>
  new StorageNotUsable('older-schema', `The database on ${server} is not up to date. Run 'rollcall migrate'.`)
