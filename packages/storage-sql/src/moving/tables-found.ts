import { StorageNotUsable } from '../storage-not-usable.ts'
import { UNFINISHED_MOVE } from './unfinished-move.ts'

/** What is made before the tables that the migrations make. */
const BEFORE: readonly string[] = ['kysely_migration', 'kysely_migration_lock', UNFINISHED_MOVE]
/** Of those that every version of ours has. */
const OURS: readonly string[] = ['kysely_migration', 'audit_record', 'instance']

const isOurs = (tables: readonly string[]): boolean => OURS.every((name) => tables.includes(name))

/**
 * Whether a database to move into gets its tables first.
 * @throws {StorageNotUsable} it has tables of somebody else, and none of ours
 */
export const lacksTables = (tables: readonly string[], database: string): boolean => {
  if (isOurs(tables)) return false
  const [strange, ...more] = tables.filter((name) => !BEFORE.includes(name))
  if (strange === undefined) return true
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const message = `The database ${database} has something of somebody else in it (${strange}${others}). Give an empty one: nothing was changed.`
  throw new StorageNotUsable('not-empty', message)
}

/** @throws {StorageNotUsable} what is to be moved from is not ours */
export const requireOurs = (tables: readonly string[], database: string): void => {
  if (isOurs(tables)) return
  const message = `${database} is no Rollcall database. Name the one to move from.`
  throw new StorageNotUsable('not-accessible', message)
}
