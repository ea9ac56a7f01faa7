import type { PostgresStorage } from '@rollcall/storage-sql/postgres'
import type { SqliteStorage } from '@rollcall/storage-sql/sqlite'

type Shared = Pick<SqliteStorage, keyof SqliteStorage & keyof PostgresStorage>

/** Either storage: what both have, and what only one of them has where it is that one. */
export type Storage = Shared & Partial<Omit<SqliteStorage, keyof Shared>> & Partial<Omit<PostgresStorage, keyof Shared>>
