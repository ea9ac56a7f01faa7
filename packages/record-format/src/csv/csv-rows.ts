import type { BrokenRow, FileRow } from '@rollcall/core'
import { isBlank, type Line, LONGEST_ROW } from '../line.ts'
import type { CsvColumns } from './csv-columns.ts'
import { CsvRecord } from './csv-record.ts'

const NOT_CLOSED = 'A quoted field does not end. Close the quote, or write a quote inside quotes twice.'

/**
 * Puts lines together to rows. A row that fails costs its first line alone, however many lines an open quote has run
 * through: the next one is read as if it had not been there, so that one bad quote does not swallow the file.
 */
export class CsvRows {
  readonly #columns: CsvColumns
  /** From the first line of the row in hand on. */
  #lines: readonly Line[] = []
  #start = 0
  #next = 0
  #record: CsvRecord
  #bytes = 0

  constructor(columns: CsvColumns) {
    this.#columns = columns
    this.#record = new CsvRecord(columns.separator)
  }

  *take(lines: readonly Line[]): Generator<FileRow | BrokenRow> {
    this.#lines = this.#start === this.#lines.length ? lines : [...this.#lines.slice(this.#start), ...lines]
    this.#next -= this.#start
    this.#start = 0
    for (let row = this.#step(); row !== undefined; row = this.#step()) if (row !== 'none') yield row
  }

  /** What is left when there are no more lines. */
  *end(): Generator<FileRow | BrokenRow> {
    while (this.#start < this.#lines.length) {
      const row = this.#step() ?? this.#fail(NOT_CLOSED)
      if (row !== 'none') yield row
    }
  }

  /** Takes one line more; undefined where there is none. */
  #step(): FileRow | BrokenRow | 'none' | undefined {
    const line = this.#lines[this.#next]
    if (line === undefined) return undefined
    if (line.problem !== undefined) return this.#fail(this.#record.open ? NOT_CLOSED : line.problem)
    this.#next++
    if (!this.#record.open && isBlank(line)) return this.#begin(this.#next)
    const problem = this.#record.take(line.text)
    if (problem !== undefined) return this.#fail(problem)
    return this.#record.open ? this.#goOn(line) : this.#whole(this.#record.fields)
  }

  #goOn({ text }: Line): BrokenRow | 'none' {
    this.#bytes += Buffer.byteLength(text) + 1
    return this.#bytes > LONGEST_ROW ? this.#fail(NOT_CLOSED) : 'none'
  }

  // A comma too many moves every field after it: the address would be somebody else's.
  #whole(texts: readonly string[]): FileRow | BrokenRow {
    const { count, wanted } = this.#columns
    if (texts.length !== count)
      return this.#fail(
        `This row has ${texts.length} fields, the first line names ${count}. Put a field that holds a separator in quotes.`,
      )
    const fields: Record<string, string> = {}
    for (const [field, index] of wanted) {
      const text = texts[index]
      if (text !== undefined && text !== '') fields[field] = text
    }
    const line = this.#number
    this.#begin(this.#next)
    return { line, fields }
  }

  #fail(problem: string): BrokenRow {
    const line = this.#number
    this.#begin(this.#start + 1)
    return { line, problem }
  }

  #begin(start: number): 'none' {
    this.#start = start
    this.#next = start
    this.#record = new CsvRecord(this.#columns.separator)
    this.#bytes = 0
    return 'none'
  }

  get #number(): number {
    return this.#lines[this.#start]?.number ?? 0
  }
}
