import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'

interface Unit {
  readonly work: () => void
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** A new database, as durable as SQLite can be, otherwise with its defaults. */
export const openDurable = (file: string, schema: string): Connection => {
  const database = new Connection(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(schema)
  return database
}

/** Units that arrive in one turn of the event loop share a transaction, and one wait for the disk. */
export class GroupCommit {
  readonly #commit: (units: readonly Unit[]) => void
  #waiting: Unit[] = []

  constructor(database: Connection) {
    const [begin, commit] = ['BEGIN IMMEDIATE', 'COMMIT'].map((text) => database.prepare(text))
    this.#commit = (units) => {
      begin?.run()
      for (const { work } of units) work()
      commit?.run()
    }
  }

  /** Resolves when the changes are on the disk. */
  run(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => this.#drain())
    })
  }

  #drain(): void {
    const units = this.#waiting
    this.#waiting = []
    try {
      this.#commit(units)
      for (const { resolve } of units) resolve()
    } catch (error) {
      for (const { reject } of units) reject(error)
    }
  }
}
