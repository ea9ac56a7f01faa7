import type { Patience, PostgresStorage } from '@rollcall/storage-sql/postgres'
import type { SqliteStorage, StorageExamination } from '@rollcall/storage-sql/sqlite'
import type { Config } from './config.ts'

/** Milliseconds that a command leaves the lock to a server beside it, which has requests that wait. */
export const LOCK_PAUSE = 2

/** In a sentence. */
export const databaseNameOf = ({ databaseFile, postgresUrl }: Pick<Config, 'databaseFile' | 'postgresUrl'>): string =>
  postgresUrl === undefined ? `The database ${databaseFile}` : 'The PostgreSQL database'

/** Of a database that lacks migrations; it may also be a wrong one. */
export const OLDER = 'is of an older version, or Rollcall has not made its tables there.'
export const TO_MIGRATE = 'If it is the right one, run `rollcall migrate`, or start the server once.'

/** What is done with the database as a whole. Drivers are loaded when it is. */
export interface Database {
  /** Brings it up to date; the names of the migrations that it took. It may have to wait for others for long. */
  migrate(patience?: Patience): Promise<string[]>
  pendingMigrations(): Promise<string[]>
  /** Looks at it, and changes nothing. */
  examine(): Promise<StorageExamination>
  /** Keeps other servers from a file. A database of a server of its own is there for any number. */
  lockForServing(): Promise<{ release(): void }>
  /** Whether a server works with it now; undefined if that cannot be seen. */
  isServed(): Promise<boolean | undefined>
}

export const databaseOf = ({ databaseFile, postgresUrl }: Pick<Config, 'databaseFile' | 'postgresUrl'>): Database => {
  if (postgresUrl !== undefined) {
    const postgres = () => import('@rollcall/storage-sql/postgres')
    return {
      migrate: async (patience) => await (await postgres()).migratePostgres(postgresUrl, patience),
      pendingMigrations: async () => await (await postgres()).pendingMigrations(postgresUrl),
      examine: async () => await (await postgres()).examinePostgres(postgresUrl),
      lockForServing: async () => ({ release: () => undefined }),
      isServed: async () => await (await postgres()).isServed(postgresUrl),
    }
  }
  const sqlite = () => import('@rollcall/storage-sql/sqlite')
  return {
    migrate: async (patience) => await (await sqlite()).migrateSqlite(databaseFile, { onWait: patience?.onWait }),
    pendingMigrations: async () => await (await sqlite()).pendingMigrations(databaseFile),
    examine: async () => await (await sqlite()).examineSqlite(databaseFile),
    lockForServing: async () => await (await sqlite()).lockForServing(databaseFile),
    isServed: async () => (await sqlite()).isServed(databaseFile),
  }
}

type Shared = Pick<SqliteStorage, keyof SqliteStorage & keyof PostgresStorage>

/** Either storage: what both have, and what only one of them has where it is that one. */
export type Storage = Shared & Partial<Omit<SqliteStorage, keyof Shared>> & Partial<Omit<PostgresStorage, keyof Shared>>
