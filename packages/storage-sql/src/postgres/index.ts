export type { StorageExamination, TrailEnd } from '../storage-examination.ts'
export { StorageNotUsable, type StorageProblem } from '../storage-not-usable.ts'
export { type CreateUserRepository, type Sql, type SqlValue, UniqueViolation } from '../user-repository.ts'
export type { Patience } from './beside-others.ts'
export { connectionSettings } from './connection-settings.ts'
export { openPostgresSource, openPostgresTarget } from './data-migration.ts'
export { examinePostgres } from './examine-postgres.ts'
export { isServed, migratePostgres, pendingMigrations } from './migrate-postgres.ts'
export {
  openPostgresStorage,
  type PostgresClient,
  type PostgresStorage,
  type PostgresStorageOptions,
} from './open-postgres-storage.ts'
