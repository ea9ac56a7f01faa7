import { InvalidInput } from '../errors.ts'
import { decidingColumns } from '../transfer/column-guards.ts'
import { CsvRecord } from '../transfer/csv.ts'

const SEPARATORS = [',', ';', '\t']
const LONGEST_RECORD = 65_536
const NUL = 'It has a NUL byte, which no id has. Take it out; or, if the list is in UTF-16, save it as UTF-8.'
const OPEN = 'A quoted field does not end.'

interface Column {
  readonly index: number
  /** How many columns there are. */
  readonly count: number
  readonly separator: string
  readonly others: readonly string[]
}

/**
 * Reads the lines of a list of ids: one id a line; or CSV, if the first line that is not blank names a column `id`. What
 * it cannot read it refuses: an id too many is a user too many.
 */
export class IdLines {
  readonly #ignored: readonly string[]
  #column: Column | undefined
  #record: CsvRecord | undefined
  #begun = false
  #line = 0
  /** Characters of the record. */
  #length = 0

  /** Those columns are ignored that decide nothing, or are not to. */
  constructor(ignored: readonly string[] = []) {
    this.#ignored = ignored
  }

  /** How many lines were taken. */
  get line(): number {
    return this.#line
  }

  /** Whether a row goes on in the next line. */
  get open(): boolean {
    return this.#record !== undefined
  }

  /** The columns that are not used, once they were named. */
  get others(): readonly string[] {
    return this.#column?.others.filter((name) => name !== '') ?? []
  }

  /**
   * The id of the row that ends with this line, empty if it has none; undefined if the line names the columns, or the
   * row goes on.
   * @throws {InvalidInput} the line is broken, or names no column `id`, several, or one that may say who is meant
   */
  take(line: string): string | undefined {
    this.#line++
    if (line.includes('\0')) throw this.#broken(NUL)
    if (!this.#begun && line.trim() !== '') {
      this.#begun = true
      this.#column = this.#columnIn(line)
      if (this.#column !== undefined) return undefined
    }
    return this.#column === undefined ? line.trim() : this.#cell(line, this.#column)
  }

  /** @throws {InvalidInput} the last row does not end */
  end(): void {
    if (this.open) throw this.#broken(OPEN)
  }

  #cell(line: string, { index, count, separator }: Column): string | undefined {
    if (!this.open && line.trim() === '') return ''
    this.#length = this.open ? this.#length + 1 + line.length : line.length
    this.#record ??= new CsvRecord(separator)
    const { fields } = this.#record
    if (this.#record.take(line) !== undefined) throw this.#broken('Something follows a closing quote.')
    if (this.#record.open && this.#length > LONGEST_RECORD) throw this.#broken(OPEN)
    if (this.#record.open) return undefined
    this.#record = undefined
    // An extra comma moves every field after it: the id would be that of another user.
    if (fields.length !== count)
      throw this.#broken(
        `This row has ${fields.length} fields, the first line names ${count}. Put a field that holds a separator in quotes.`,
      )
    return fields[index]?.trim() ?? ''
  }

  /** The column `id` that the first line names; undefined if the line is an id itself. */
  #columnIn(line: string): Column | undefined {
    for (const separator of SEPARATORS) {
      const found = columnNames(line, separator)
      const names = found.map((name) => name.toLowerCase())
      const index = names.indexOf('id')
      if (index !== names.lastIndexOf('id'))
        throw this.#broken("Two columns are named 'id'. Name the right one alone so.")
      if (index === -1) continue
      const others = found.toSpliced(index, 1)
      const [name] = decidingColumns(others, this.#ignored)
      // Of a list of everybody, it would be said there who is to go.
      if (name !== undefined)
        throw this.#broken(
          `The column '${name}' may say which of these users are meant, and is not used. Leave only those in the list that are to be deleted, and ignore the column: --ignore.`,
        )
      return { index, count: names.length, separator, others }
    }
    if (!SEPARATORS.some((separator) => line.trim().includes(separator))) return undefined
    throw this.#broken("This looks like columns, but none is named 'id'. Give one id a line, or name the column.")
  }

  #broken(problem: string): InvalidInput {
    return new InvalidInput([{ field: 'ids', message: `Line ${this.#line}: ${problem}` }])
  }
}

const columnNames = (line: string, separator: string): string[] => {
  const record = new CsvRecord(separator)
  // What cannot be read with this separator has no columns by it.
  return record.take(line) !== undefined || record.open ? [] : record.fields.map((name) => name.trim())
}
