import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

// Not by an import, which would fail under an older Node.js before `require-node.ts` says what is needed.
const sqlite = process.getBuiltinModule('node:sqlite')

export type Value = string | number | null

export interface Changes {
  readonly changes: number
  readonly lastInsertRowid: number
}

/** A statement that was prepared once, with the rows that it gives. */
export interface Statement<Parameters extends readonly unknown[] = Value[], Row = unknown> {
  readonly source: string
  run(...values: Parameters): Changes
  get(...values: Parameters): Row | undefined
  all(...values: Parameters): Row[]
  /** From now on it gives the first column alone. */
  pluck(): this
  /** From now on it gives rows as arrays. */
  raw(): this
}

/**
 * Node's own SQLite, as the storage uses it: rows may be arrays, or their first column; no file is made by opening one;
 * to close it twice is to close it once. Whoever writes another SQLite behind it must keep these.
 *
 * In statements that are run often, bind every value that may differ: each text is prepared once for each connection.
 */
export class Connection {
  readonly #database: DatabaseSync

  /** @throws an error of SQLite: the file is not there, or cannot be opened */
  constructor(file: string, { readonly = false, timeout = 0 } = {}) {
    // `mode=rw`: SQLite would make a file that is not there.
    const url = pathToFileURL(file)
    if (!readonly) url.searchParams.set('mode', 'rw')
    this.#database = new sqlite.DatabaseSync(file === MEMORY ? file : url, {
      readOnly: readonly,
      timeout,
      defensive: true,
    })
  }

  /** A database of its own, in memory, that is gone when it is closed. */
  static inMemory(): Connection {
    return new Connection(MEMORY)
  }

  get open(): boolean {
    return this.#database.isOpen
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  prepare<Parameters extends readonly unknown[] = Value[], Row = unknown>(text: string): Statement<Parameters, Row> {
    return new PreparedStatement(this.#database.prepare(text)) as unknown as Statement<Parameters, Row>
  }

  exec(text: string): void {
    this.#database.exec(text)
  }

  /** Sets or asks one; its value is the first column of its first row. */
  pragma(text: string): Value | undefined {
    return this.prepare<[], Value>(`PRAGMA ${text}`).pluck().get()
  }

  close(): void {
    if (this.open) this.#database.close()
  }
}

const MEMORY = ':memory:'

/** Gives everything of a row that was asked for: nothing, the first column, or all of it. */
type Shape = (row: unknown) => unknown
const FIRST: Shape = (row) => (row as SQLOutputValue[])[0]

class PreparedStatement {
  readonly #statement: StatementSync
  readonly source: string
  #shape: Shape | undefined

  constructor(statement: StatementSync) {
    this.#statement = statement
    this.source = statement.sourceSQL
  }

  run(...values: Value[]): Changes {
    return this.#statement.run(...values) as Changes
  }

  get(...values: Value[]): unknown {
    const row = this.#statement.get(...values)
    return row === undefined || this.#shape === undefined ? row : this.#shape(row)
  }

  all(...values: Value[]): unknown[] {
    const rows = this.#statement.all(...values)
    return this.#shape === undefined ? rows : rows.map(this.#shape)
  }

  pluck(): this {
    this.#shape = FIRST
    return this.raw()
  }

  raw(): this {
    this.#statement.setReturnArrays(true)
    return this
  }
}
