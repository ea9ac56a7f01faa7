import { StorageNotUsable } from './storage-not-usable.ts'

/** The statements of each migration, by its name, in order. */
export type Migrations = Readonly<Record<string, readonly string[]>>

/** Where the names are of what was run. No other application has a table of this name. */
export const MIGRATION_TABLE = 'rollcall_migration'

/**
 * The migrations that a database lacks.
 * @throws {StorageNotUsable} the database is of a newer version
 */
export const lackingIn = (applied: readonly string[], migrations: Migrations): string[] => {
  const known = Object.keys(migrations).sort()
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const message = `The database is of a newer version (${unknown}). Run that version, or put back an older backup.`
    throw new StorageNotUsable('newer-schema', message)
  }
  return known.filter((name) => !applied.includes(name))
}

export const outdated = (database: string) =>
  new StorageNotUsable('older-schema', `The database ${database} is not up to date. Run 'rollcall migrate'.`)
