import type Database from 'better-sqlite3'
import type { Connection } from '../connection.ts'
import type { Writer, WriteStatement } from '../writer.ts'

/** Finds the id that an identity keeps from then on, where another identity had its first one. */
export const displacedIds = (connection: Connection): ((fingerprint: string) => number | undefined) => {
  const find = connection
    .prepare<[string], number>('SELECT id FROM displaced_subscription_id WHERE fingerprint = ?')
    .pluck()
  return (fingerprint) => find.get(fingerprint)
}

/** The same for the writer. As long as the table is empty, which is nearly always, nothing is looked up. */
export class DisplacedIds {
  readonly #writer: Writer
  readonly #find: (fingerprint: string) => number | undefined
  readonly #any: Database.Statement<[], number>
  readonly #insert: WriteStatement
  #none = false
  #generation = -1

  constructor(writer: Writer) {
    this.#writer = writer
    this.#find = displacedIds(writer.connection)
    this.#any = writer.connection.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM displaced_subscription_id)').pluck()
    this.#insert = writer.connection.prepare(
      'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    )
  }

  find(fingerprint: string): number | undefined {
    if (this.#generation !== this.#writer.generation) {
      this.#none = this.#any.get() === 0
      this.#generation = this.#writer.generation
    }
    return this.#none ? undefined : this.#find(fingerprint)
  }

  keep(fingerprint: string, id: number): void {
    this.#none = false
    this.#writer.write(this.#insert, fingerprint, id)
  }
}
