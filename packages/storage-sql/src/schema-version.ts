import type { Dialect } from 'kysely'
import type { Migration } from 'kysely/migration'
import { StorageNotUsable } from './storage-not-usable.ts'

export type Migrations = Readonly<Record<string, () => Promise<Migration>>>

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

/** Runs all migrations that the database lacks; their names. */
export const runMigrations = async (
  migrations: Migrations,
  dialectBy: (kysely: typeof import('kysely')) => Dialect,
  onStatement: (text: string) => void,
): Promise<string[]> => {
  const kysely = await import('kysely')
  const { Migrator } = await import('kysely/migration')
  const loaded = await Promise.all(
    Object.entries(migrations).map(async ([name, load]) => [name, await load()] as const),
  )
  const db = new kysely.Kysely<unknown>({ dialect: dialectBy(kysely), log: ({ query }) => onStatement(query.sql) })
  const provider = { getMigrations: async () => Object.fromEntries(loaded) }
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
}
