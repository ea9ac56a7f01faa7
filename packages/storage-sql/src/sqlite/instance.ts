import type { Connection } from './connection.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import type { Writer, WriteStatement } from './writer.ts'

/** What must stay the same for as long as there is the database. */
export class Instance {
  readonly #writer: Writer
  readonly #run: (work: () => Promise<void>) => Promise<void>
  readonly #insert: WriteStatement
  readonly #find: (name: string) => string | undefined

  constructor(options: {
    writer: Writer
    reading: Connection
    /** Runs the work as a unit of its own. */
    run: (work: () => Promise<void>) => Promise<void>
  }) {
    this.#writer = options.writer
    this.#run = options.run
    this.#insert = options.writer.connection.prepare('INSERT OR IGNORE INTO instance (name, value) VALUES (?, ?)')
    const find = options.reading.prepare<[string], string>('SELECT value FROM instance WHERE name = ?').pluck()
    this.#find = (name) => find.get(name)
  }

  async recall(name: string): Promise<string | undefined> {
    return await retryWhileBusy(() => this.#find(name))
  }

  /** The value that was there first, be it another's. */
  async settle(name: string, value: string): Promise<string> {
    const known = await this.recall(name)
    if (known !== undefined) return known
    await this.#run(async () => {
      this.#writer.write(this.#insert, name, value)
    })
    return (await this.recall(name)) ?? value
  }
}
