import { MIGRATION_TABLE } from '../schema-version.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'

/** What is noted in a database while a move into it is under way. */
export interface MigrationNote {
  readonly from: string
  /** Rows of each table, and the highest number that it gave out. */
  readonly tables: Readonly<Record<string, readonly [rows: number, counter: number]>>
}

/** A table that is there from before a database to move into has its tables, until the note takes its place. */
export const UNFINISHED_MOVE = 'unfinished_move'

/**
 * A database that is only prepared for a move must not be used.
 * @throws {StorageNotUsable} a move into the database was begun, and nothing is in it yet
 */
export const requireNotBegun = (tables: readonly string[], database: string): void => {
  if (!tables.includes(UNFINISHED_MOVE)) return
  const message = `A move into the database ${database} was begun. Run the same \`rollcall migrate-data\` again: it goes on where it was.`
  throw new StorageNotUsable('half-moved', message)
}

/**
 * A part of the data must not pass for the whole.
 * @throws {StorageNotUsable} a move into the database was begun and not finished
 */
export const requireWhole = (note: string | undefined, database: string): void => {
  if (note === undefined) return
  const { from } = JSON.parse(note) as MigrationNote
  const message = `The database ${database} holds a part of what is moved here from ${from}. Run the same \`rollcall migrate-data\` again: it goes on where it was.`
  throw new StorageNotUsable('half-moved', message)
}

/** What is made before the tables that the migrations make. */
const BEFORE: readonly string[] = [MIGRATION_TABLE, UNFINISHED_MOVE]
/** Of those that every version of ours has. */
const OURS: readonly string[] = [MIGRATION_TABLE, 'audit_record', 'instance']

const isOurs = (tables: readonly string[]): boolean => OURS.every((name) => tables.includes(name))

/**
 * Whether a database to move into gets its tables first.
 * @throws {StorageNotUsable} it has tables of another application, and no tables of Rollcall's
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
