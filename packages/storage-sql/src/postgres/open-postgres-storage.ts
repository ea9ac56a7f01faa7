import type { Clock, Readers, RequestInbox, UnitOfWork, UserChanges } from '@rollcall/core'
import { settleBy } from '../settle-by.ts'
import type { CreateUserRepository } from '../user-repository.ts'
import { connect, type ServerPool } from './connection.ts'
import { Connections, type ConnectionUse } from './connections.ts'
import { missing, requireUsable } from './migrate-postgres.ts'
import { asNotUsable, asUnavailable } from './postgres-error.ts'
import { PostgresInbox } from './postgres-inbox.ts'
import { PostgresUnitOfWork } from './postgres-unit-of-work.ts'
import { PostgresUserChanges } from './postgres-user-changes.ts'
import { ServerClock } from './server-clock.ts'
import { IS_SERVED } from './session.ts'
import { durably, statement } from './statement.ts'
import { postgresReaders } from './stores/index.ts'

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database?sslmode=...&pool=...` */
  readonly url: string
  /** That URL as it is now, such as in a file: its user and password may change while it is open. */
  readonly currentUrl?: (() => string) | undefined
  /** Called when an idle connection was lost. No data is lost by it, and the connection is replaced. */
  readonly onConnectionLoss?: ((error: Error) => void) | undefined
  /** Makes the repository of a host that keeps users on tables of its own, in the same database. */
  readonly users?: CreateUserRepository | undefined
  /** It is opened by an instance, which carries out what the public asks for: others see it by `isServed`. */
  readonly serving?: boolean | undefined
}

/**
 * Runs one statement, as `pg` has it. What an INSERT, UPDATE or DELETE writes is on disk once it is answered. If its
 * connection is lost it is run again, and may have been run before: write it so that twice is as good as once, such as with
 * ON CONFLICT. Throws `Unavailable` while storage is down.
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
  /** The server's, the same for every instance: what is stored here has its times by it, and is judged by it. */
  readonly clock: Clock
  /** Where requests of the public come in. */
  readonly inbox: RequestInbox
  /** A shorter way for changes of users; undefined if a host keeps them. */
  readonly userChanges: UserChanges | undefined
  readonly migrations: { pending(): Promise<string[]> }
  /** A value that was settled, such as the fingerprint of a secret. */
  recall(name: string): Promise<string | undefined>
  /** Settles a value for as long as there is the database; what was settled first, be it by another process. */
  settle(name: string, value: string): Promise<string>
  /** Settles another value in place of what was settled before. */
  resettle(name: string, value: string): Promise<void>
  /** Whether an instance works with the database now, be it this one. */
  isServed(): Promise<boolean>
  connectionUse(): ConnectionUse
  /** For what others keep in the same database. */
  readonly client: PostgresClient
  /** Finishes the units that have begun. Afterwards everything is `Unavailable`. Closing twice is closing once. */
  close(): Promise<void>
}

/**
 * Opens a database that is there and up to date.
 * @throws {StorageNotUsable} with what to do about it
 */
export const openPostgresStorage = ({
  url,
  currentUrl,
  onConnectionLoss,
  users,
  serving,
}: PostgresStorageOptions): Promise<PostgresStorage> =>
  connect(
    url,
    async (pool, server) => {
      await requireUsable(pool, server)
      return await assemble(pool, server, users)
    },
    { onLoss: onConnectionLoss, currentUrl, presence: serving ? 'serving' : 'working' },
  )

const assemble = async (
  pool: ServerPool,
  server: string,
  users: CreateUserRepository | undefined,
): Promise<PostgresStorage> => {
  const connections = new Connections(pool)
  const clock = await ServerClock.start(connections.ask)
  const readers = postgresReaders(connections, users)
  const inbox = new PostgresInbox(connections, readers.feeds)
  const unitOfWork = new PostgresUnitOfWork(connections, users, () => inbox.forgetFeeds())
  const userChanges = users === undefined ? new PostgresUserChanges(connections) : undefined
  const orThrow = async <Result>(result: Promise<Result>, asKnown: (error: unknown) => unknown): Promise<Result> => {
    try {
      return await result
    } catch (error) {
      throw asKnown(error)
    }
  }
  const { recall, settle, resettle } = settledValues(connections)
  const asAtOpening = <Result>(result: Promise<Result>) => orThrow(result, (error) => asNotUsable(error, server))
  let closing: Promise<void> | undefined
  const health: Readers['outbox']['health'] = async () => {
    await connections.requireSessions()
    await connections.requireWritable()
    return await readers.outbox.health()
  }
  return {
    unitOfWork,
    clock,
    readers: { ...readers, outbox: { ...readers.outbox, health } },
    inbox,
    userChanges,
    migrations: { pending: () => orThrow(missing(pool), asUnavailable) },
    recall: (name) => asAtOpening(recall(name)),
    settle: (name, value) => asAtOpening(settle(name, value)),
    resettle: (name, value) => asAtOpening(resettle(name, value)),
    isServed: async () => (await connections.ask<[isServed: boolean]>(FIND_SERVING))[0]?.[0] === true,
    connectionUse: () => connections.use,
    client: { query: (query) => connections.query({ ...query, text: durably(query.text) }) },
    close: () => {
      clock.stop()
      closing ??= Promise.all([unitOfWork.close(), inbox.close(), userChanges?.close()]).then(() => connections.close())
      return closing
    },
  }
}

const FIND_SERVING = statement(IS_SERVED)
const FIND = statement('SELECT value FROM instance WHERE name = $1')
const REPLACE = statement(
  durably('INSERT INTO instance (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value'),
)
const INSERT = statement(durably('INSERT INTO instance (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING'))

/** What must stay the same for as long as there is the database. */
export const settledValues = ({ ask }: Connections) => {
  const recall = async (name: string): Promise<string | undefined> => (await ask<[value: string]>(FIND, name))[0]?.[0]
  return {
    recall,
    /** The value that was there first, be it another's. */
    settle: settleBy(recall, (name, value) => ask(INSERT, name, value)),
    resettle: async (name: string, value: string): Promise<void> => {
      await ask(REPLACE, name, value)
    },
  }
}
