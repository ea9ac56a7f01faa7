export { AlreadyServing, StorageNotUsable, type StorageProblem } from '../storage-not-usable.ts'
export { migrateSqlite, pendingMigrations } from './migrate-sqlite.ts'
export { openSqliteStorage, type SqliteStorage, type SqliteStorageOptions } from './open-sqlite-storage.ts'
export { lockForServing, type ServingLock } from './serving-lock.ts'
