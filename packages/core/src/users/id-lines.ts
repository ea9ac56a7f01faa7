import { InvalidInput } from '../errors.ts'
import { withoutMargins } from '../text.ts'
import { CsvRecord, preambleIn, REMOVE_APOSTROPHE } from '../transfer/csv.ts'
import { type IdColumn, type IdListOptions, idColumnIn, looksLikeColumn } from './id-columns.ts'
import { idsInJson, looksLikeJson, type OtherMembers } from './id-json.ts'

const LONGEST_RECORD = 65_536
/** Of JSON, which is read as a whole. */
const LONGEST_JSON = 16 * 1024 * 1024
const NUL =
  'It has a NUL byte, which no id has. Take it out; or, if the list is in UTF-16, save it as UTF-8, and a workbook as CSV.'
// If the name of a column cannot be read, nobody sees that the column says who left.
const NOT_UTF8 = 'It has a byte that is not UTF-8, or a character that was lost before. Save the list as UTF-8.'
const LONE_RETURN = 'Its lines end in a carriage return alone. Save it with line feeds.'
const OPEN = 'A quoted field does not end.'

/**
 * Reads the lines of a list of ids, or of addresses: one a line; CSV, if the first line that is not blank names the column;
 * or JSON. What directories write before that line is passed over. What it cannot read it refuses: an id too many is a
 * user too many.
 */
export class IdLines {
  readonly #options: IdListOptions
  #column: IdColumn | undefined
  #record: CsvRecord | undefined
  #json: string[] | undefined
  #members: OtherMembers | undefined
  #begun = false
  /** Lines were passed over that only CSV has. */
  #preamble = false
  #separator: string | undefined
  #line = 0
  /** Characters of the record, or of the JSON. */
  #length = 0

  constructor(options: IdListOptions = {}) {
    this.#options = options
  }

  /** How many lines were taken. */
  get line(): number {
    return this.#line
  }

  /** Whether a row goes on in the next line. */
  get open(): boolean {
    return this.#record !== undefined || this.#json !== undefined
  }

  /** The columns that are not used, once they were named. */
  get others(): readonly string[] {
    return this.#members?.names ?? this.#column?.others.filter((name) => name !== '') ?? []
  }

  /**
   * The id of the row that ends with this line, empty if it has none; undefined if the line names the columns, or the
   * row goes on.
   * @throws {InvalidInput} the line is broken, names no such column, several, or one that may say who is meant
   */
  take(line: string): string | undefined {
    this.#line++
    if (line.includes('\0')) throw this.#broken(NUL)
    if (line.includes('\ufffd')) throw this.#broken(NOT_UTF8)
    if (this.#json !== undefined) return this.#keep(line, this.#json)
    if (line.length > LONGEST_RECORD && (this.#begun || !looksLikeJson(line)))
      throw this.#broken(this.open ? OPEN : 'A line is too long to hold an id.')
    if (!this.#begun && line.trim() !== '') {
      if (line.trim().includes('\r')) throw this.#broken(LONE_RETURN)
      if (this.#isPassedOver(line)) return undefined
      this.#begun = true
      if (!this.#preamble && looksLikeJson(line)) {
        this.#json = []
        return this.#keep(line, this.#json)
      }
      this.#column = this.#columnIn(line)
      if (this.#column !== undefined) return undefined
    }
    return this.#column === undefined ? withoutMargins(line) : this.#cell(line, this.#column)
  }

  /**
   * What is only known at the end: the ids of a list that is JSON.
   * @throws {InvalidInput} the last row does not end, or the JSON cannot be read
   */
  end(): readonly string[] {
    if (this.#json !== undefined) {
      const { ids, others } = idsInJson(this.#json, this.#options)
      this.#members = others
      this.#json = undefined
      return ids
    }
    if (this.open) throw this.#broken(OPEN)
    if (this.#preamble && this.#column === undefined) throw this.#broken('The line that names the columns is missing.')
    return []
  }

  #keep(line: string, json: string[]): undefined {
    this.#length += line.length + 1
    if (this.#length > LONGEST_JSON)
      throw this.#broken('JSON that is longer than 16 MiB cannot be read as a list. Give one id a line.')
    json.push(line)
  }

  #isPassedOver(line: string): boolean {
    const found = preambleIn(line)
    if (found === undefined) return false
    this.#preamble = true
    this.#separator = found.separator ?? this.#separator
    return true
  }

  #cell(line: string, { index, count, separator }: IdColumn): string | undefined {
    if (!this.open && line.trim() === '') return ''
    this.#length = this.open ? this.#length + 1 + line.length : line.length
    this.#record ??= new CsvRecord(separator)
    const { fields, disguised } = this.#record
    if (this.#record.take(line) !== undefined) throw this.#broken('Something follows a closing quote.')
    if (this.#record.open && this.#length > LONGEST_RECORD) throw this.#broken(OPEN)
    if (this.#record.open) return undefined
    this.#record = undefined
    // An extra comma moves every field after it: the id would be that of another user.
    if (fields.length !== count)
      throw this.#broken(
        `This row has ${fields.length} fields, the first line names ${count}. Put a field that holds a separator in quotes.`,
      )
    if (disguised.has(index)) {
      const { by = 'id' } = this.#options
      throw this.#broken(
        `${REMOVE_APOSTROPHE} give one ${by === 'id' ? 'id' : 'address'} a line without naming columns.`,
      )
    }
    return withoutMargins(fields[index] ?? '')
  }

  /** The column that the first line names; undefined if the line is an id itself. */
  #columnIn(line: string): IdColumn | undefined {
    const found = idColumnIn(line, this.#options, { isCsv: this.#preamble, separator: this.#separator })
    if (typeof found === 'string') throw this.#broken(found)
    if (found !== undefined) return found
    const problem = looksLikeColumn(line, this.#options)
    if (problem !== undefined) throw this.#broken(problem)
    return undefined
  }

  #broken(problem: string): InvalidInput {
    return new InvalidInput([{ field: 'ids', message: `Line ${this.#line}: ${problem}` }])
  }
}
