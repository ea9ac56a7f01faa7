import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** The database of the service, as its engine sees it: nothing here knows a table. */
export interface Store extends AsyncDisposable {
  readonly url: string
  /** Resolves when no transaction of a dead process is open any more. */
  settled(): Promise<void>
  /** Resolves when no transaction is open; the service may begin the next one. */
  idle(): Promise<void>
  /** What the engine finds wrong with its files. */
  damage(): Promise<readonly string[]>
}

export const sqliteStore = (file: string): Store => ({
  url: `sqlite:${file}`,
  // Changes that were not committed are gone with the process, and readers see no others.
  settled: async () => undefined,
  idle: async () => undefined,
  damage: async () => damageOf(file),
  // The folder is removed with it.
  [Symbol.asyncDispose]: async () => undefined,
})

export const damageOf = (file: string): string[] => {
  if (!existsSync(file)) return [`${file} is not there`]
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = ['PRAGMA integrity_check', 'PRAGMA foreign_key_check'].flatMap((check) =>
      database.prepare(check).all(),
    )
    return rows.map((row) => JSON.stringify(row)).filter((line) => line !== '{"integrity_check":"ok"}')
  } finally {
    database.close()
  }
}
