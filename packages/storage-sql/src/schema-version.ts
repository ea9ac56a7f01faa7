import { StorageNotUsable } from './storage-not-usable.ts'
import { columnsOf, type Table } from './tables/table.ts'

export interface Migration {
  readonly statements: readonly string[]
  /**
   * The newest migration that a release must know to work on beside this one, as it did before; this one itself if it is
   * left out, so that releases before it refuse the database.
   */
  readonly needs?: string
}

/** Each migration by its name, in order. */
export type Migrations = Readonly<Record<string, Migration>>

/** What is noted of a migration that was run. */
export interface AppliedMigration {
  readonly name: string
  readonly needs: string
}

/** Where that is. No other application has a table of this name. */
export const MIGRATION_TABLE = 'rollcall_migration'

/**
 * Whether the table of the migrations is there, by its columns.
 * @throws {StorageNotUsable} it is another table of that name
 */
export const hasMigrations = (columns: readonly string[]): boolean => {
  if (columns.length === 0) return false
  if (columns.includes('name') && columns.includes('needs')) return true
  const message = `The table ${MIGRATION_TABLE} of the database is not the one of this version: an unreleased version made it, or another application. Name another database, or put this one back from a backup.`
  throw new StorageNotUsable('damaged', message)
}

export const needsOf = (name: string, migrations: Migrations): string => migrations[name]?.needs ?? name

/**
 * The migrations that a database lacks. It may be of a newer version that says that this one works on it.
 * @throws {StorageNotUsable} it is of a newer version that does not
 */
export const lackingIn = (applied: readonly AppliedMigration[], migrations: Migrations): string[] => {
  const strange = applied.find(({ needs }) => migrations[needs] === undefined)
  if (strange !== undefined) throw newer(strange, 'Run that version, or put back an older backup.')
  return Object.keys(migrations)
    .sort()
    .filter((name) => !applied.some((each) => each.name === name))
}

/** Those of a newer version, which leave this one working. */
export const newerIn = (applied: readonly AppliedMigration[], migrations: Migrations): AppliedMigration[] =>
  applied.filter(({ name }) => migrations[name] === undefined)

/**
 * For who must know every table and every column.
 * @throws {StorageNotUsable} the database is of a newer version, be it one that leaves this one working
 */
export const requireNoneNewer = (applied: readonly AppliedMigration[], migrations: Migrations): void => {
  const [strange] = newerIn(applied, migrations)
  if (strange !== undefined) throw newer(strange, 'Use that version for this.')
}

const newer = ({ name }: AppliedMigration, remedy: string) =>
  new StorageNotUsable('newer-schema', `The database is of a newer version (${name}). ${remedy}`)

/** A statement of a migration has failed: what is there is not what it goes by. `remedy` is a sentence. */
export const notAsMigrated = (database: string, remedy: string, cause: Error): StorageNotUsable => {
  const message = `The database ${database} is not what a migration goes by: ${cause.message}. It has something of another application under a name that Rollcall needs, or an unreleased version made it. ${remedy} Nothing was changed.`
  return new StorageNotUsable('not-empty', message, { cause })
}

/** Its tables are not as the migrations make them that were run. */
export const otherSchema = (database: string, fault: string, options?: ErrorOptions): StorageNotUsable => {
  const message = `The database ${database} is not as this version makes it: ${fault}. An unreleased version made it, or something else changed it. \`rollcall doctor\` names what differs: put that right, or put the database back from a backup.`
  return new StorageNotUsable('damaged', message, options)
}

/**
 * @param found The tables that are there, and their columns, as `table.column`.
 * @throws {StorageNotUsable} one is missing
 */
export const requireTables = (found: readonly string[], tables: readonly Table[], database: string): void => {
  const there = new Set(found)
  const [lacking, ...more] = tables
    .flatMap((table) =>
      there.has(table.name) ? columnsOf(table).map((column) => `${table.name}.${column}`) : table.name,
    )
    .filter((name) => !there.has(name))
  if (lacking === undefined) return
  throw otherSchema(database, `it lacks ${lacking}${more.length > 0 ? ` and ${more.length} more` : ''}`)
}

export const outdated = (database: string) =>
  new StorageNotUsable(
    'older-schema',
    `The database ${database} is of an older version, or Rollcall has not made its tables there. If it is the right one, run 'rollcall migrate'.`,
  )
