import { utf8Of } from '../bytes.ts'
import { InvalidInput } from '../errors.ts'
import { asEmailAddress } from '../subscriptions/email-address.ts'
import { AFTER_QUOTE, CsvRecord, preambleIn } from './csv.ts'
import type { BrokenRow, FileRow, RowReading } from './record-formats.ts'
import { isBlank, type Line, type Lines, LONGEST_ROW, rowsOf, textLines } from './text-lines.ts'
import { shown } from './unused-columns.ts'

/** CSV whose first line names the columns; separated by comma, semicolon or tab, whichever fits that line. */
export const readCsv = async (reading: RowReading): Promise<AsyncIterable<Iterable<FileRow | BrokenRow>>> => {
  const lines = textLines(reading.body)
  try {
    const [head, ...others] = await firstLines(lines)
    return rowsOf(others, lines, new CsvRows(csvColumnsOf(head, reading)))
  } catch (error) {
    await lines.return(undefined)
    throw error
  }
}

/**
 * The first stretch with something in it, from there on; empty at the end of the file. What comes before the names of the
 * columns is skipped, also if it says the separator: the names tell it, too.
 */
const firstLines = async (lines: Lines): Promise<readonly Line[]> => {
  for (;;) {
    const { value } = await lines.next()
    if (value === undefined) return []
    const begin = value.findIndex((line) => !isBlank(line) && preambleIn(line.text) === undefined)
    if (begin !== -1) return value.slice(begin)
  }
}

/** What the first line says of all others. */
interface CsvColumns {
  readonly separator: string
  /** How many there are. */
  readonly count: number
  /** The last one that no row may lack: its place, counted from 0, and its name; place -1 if there is none. */
  readonly least: readonly [index: number, name: string]
  /** The last one without which nobody is meant: its place, or -1 if there is none. */
  readonly bound: number
  /** The one that has an address in every row, counted from 0; undefined if none has. */
  readonly address: number | undefined
  /** Which field is in which column, counted from 0. */
  readonly wanted: readonly (readonly [field: string, index: number])[]
  /** The same of all other columns, by the names that they have; empty for those that have none. */
  readonly others: readonly (readonly [name: string, index: number])[]
}

const SEPARATORS = [',', ';', '\t']

/**
 * Finds the columns in the first line. Names are compared without regard to case and to blanks around them.
 * @throws {InvalidInput}
 */
const csvColumnsOf = (head: Line | undefined, reading: RowReading): CsvColumns => {
  if (head === undefined) throw refused('The file is empty. Let its first line name the columns.')
  if (head.problem !== undefined) throw refused(`The first line names the columns. ${head.problem}`)
  const fits = (a: CsvColumns, b: CsvColumns): number => a.wanted.length - b.wanted.length || a.count - b.count
  const best = SEPARATORS.map((separator) => columnsBy(separator, head.text, reading)).reduce((best, one) =>
    fits(one, best) > 0 ? one : best,
  )
  for (const field of [...reading.required, ...Object.keys(reading.names)]) {
    if (best.wanted.some(([known]) => known === field)) continue
    const name = reading.names[field]
    throw name === undefined
      ? refused(
          `The first line names no column '${field}'${insteadIn(best)}. Name it so, or say what it is called there: --map ${field}=NAME.`,
        )
      : new InvalidInput([{ field: 'map', message: `The first line names no column '${name}'. Check the name.` }])
  }
  return best
}

/** As many as one looks through. */
const MOST_SHOWN = 6

/** Who sees what is there knows the column that is meant, the separator, or that no line names columns. */
const insteadIn = ({ others }: CsvColumns): string => {
  const names = others.flatMap(([name]) => (name === '' ? [] : shown(name)))
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : ''
  return names.length === 0 ? '' : `, but ${names.slice(0, MOST_SHOWN).join(', ')}${more}`
}

const columnsBy = (
  separator: string,
  line: string,
  { fields, names, required, decides = () => true, address }: RowReading,
): CsvColumns => {
  const record = new CsvRecord(separator)
  const problem = record.take(line)
  const found = problem === undefined && !record.open ? record.fields : []
  const columns = found.map(folded)
  const wanted = fields.flatMap((field) => {
    const name = folded(names[field] ?? field)
    const index = columns.indexOf(name)
    if (index !== columns.lastIndexOf(name))
      throw refused(`Two columns are named '${names[field] ?? field}'. Name the right one alone so.`)
    return index === -1 ? [] : [[field, index] as const]
  })
  const taken = new Set(wanted.map(([, index]) => index))
  const others = found.map((name, index) => [name.trim(), index] as const).filter(([, index]) => !taken.has(index))
  const [places, bound] = [new Map(wanted.map(([field, index]) => [index, field])), new Set(required)]
  const mayLack = (name: string, index: number): boolean => {
    const field = places.get(index)
    return !decides(name) && (field === undefined || !(bound.has(field) || decides(field)))
  }
  const last = found.findLastIndex((name, index) => !mayLack(name, index))
  return {
    separator,
    count: columns.length,
    least: [last, found[last]?.trim() ?? ''],
    bound: Math.max(-1, ...wanted.flatMap(([field, index]) => (bound.has(field) ? index : []))),
    address: wanted.find(([field]) => field === address)?.[1],
    wanted,
    others,
  }
}

const folded = (name: string): string => name.trim().toLowerCase()

const refused = (message: string): InvalidInput => new InvalidInput([{ field: 'columns', message }])

const othersIn = (texts: readonly string[], columns: CsvColumns['others']): FileRow['others'] => {
  const found: [string, string][] = []
  for (const [name, index] of columns) {
    const text = texts[index] ?? ''
    if (name !== '') found.push([name, text])
    else if (text !== '') found.push([`column ${index + 1}`, text])
  }
  return found
}

const goesOn = ({ line }: FileRow | BrokenRow): string =>
  `This row may go on in line ${line}, which is none by itself. Put a field that holds a line end in quotes, or correct that line.`

const restOf = (line: number): string =>
  `This row may be the rest of the one in line ${line}, which ends too early. Put a field that holds a line end in quotes, or correct that line.`

/** Whatever its domain is. */
const isAddress = (text: string): boolean => asEmailAddress(text, { toAscii: () => 'example' }) !== undefined

const NOT_CLOSED = 'A quoted field does not end. Close the quote, or write a quote inside quotes twice.'

/**
 * Puts lines together to rows. A row that fails costs its first line alone, however many lines an open quote has run
 * through: the next one is read as if it had not been there, so that one bad quote does not swallow the file.
 */
class CsvRows {
  readonly #columns: CsvColumns
  /** From the first line of the row in hand on. */
  #lines: readonly Line[] = []
  #start = 0
  #next = 0
  #record: CsvRecord
  #bytes = 0
  /** The fewest fields of a row so far. */
  #fewest: number
  /** A quote went wrong before: what comes may be the text that it was to hold. */
  #isDoubtful = false
  /** Of the row that was read last, as far as it could be. */
  #texts: readonly string[] = []
  /** A row that may go on in the next line: a line end within a field, without quotes, breaks a row in two. */
  #before: FileRow | undefined
  #isShort = false
  /** The line of a row that ended before who is meant: the next may be its rest, and look whole. */
  #half: number | undefined

  constructor(columns: CsvColumns) {
    this.#columns = columns
    this.#record = new CsvRecord(columns.separator)
    this.#fewest = columns.count
  }

  *take(lines: readonly Line[]): Generator<FileRow | BrokenRow> {
    this.#lines = this.#start === this.#lines.length ? lines : [...this.#lines.slice(this.#start), ...lines]
    this.#next -= this.#start
    this.#start = 0
    while (this.#next < this.#lines.length) {
      const row = this.#step()
      if (row !== undefined) yield* this.#inOrder(row)
    }
  }

  /** What is left when there are no more lines. */
  *end(): Generator<FileRow | BrokenRow> {
    while (this.#start < this.#lines.length) {
      const row = this.#next < this.#lines.length ? this.#step() : this.#fail(NOT_CLOSED)
      if (row !== undefined) yield* this.#inOrder(row)
    }
    if (this.#before !== undefined) yield this.#before
  }

  /** What is known of the row before, now that the next is here: of two halves, neither may come in. */
  *#inOrder(row: FileRow | BrokenRow): Generator<FileRow | BrokenRow> {
    const { count, address } = this.#columns
    if (address === undefined) return yield row
    const [before, found] = [this.#before, this.#texts.length]
    const isRest = (this.#isShort || found === 1) && !isAddress(this.#texts[address] ?? '')
    if (before !== undefined) yield isRest ? { line: before.line, problem: goesOn(row) } : before
    this.#isShort = found < count
    // Nothing comes after an address in the last column.
    const mayGoOn = 'fields' in row && (this.#isShort || address < count - 1)
    this.#before = mayGoOn ? row : undefined
    if (!mayGoOn) yield row
  }

  /** Takes one line more; undefined if no row ends with it. */
  #step(): FileRow | BrokenRow | undefined {
    const line = this.#lines[this.#next]
    if (line === undefined) return undefined
    if (line.problem !== undefined) return this.#fail(this.#record.open ? NOT_CLOSED : line.problem)
    this.#next++
    if (!this.#record.open && isBlank(line)) return this.#begin(this.#next)
    const problem = this.#record.take(line.text)
    if (problem !== undefined) return this.#fail(problem)
    return this.#record.open ? this.#goOn(line) : this.#whole(this.#record.fields)
  }

  #goOn({ text }: Line): BrokenRow | undefined {
    this.#bytes += utf8Of(text).length + 1
    return this.#bytes > LONGEST_ROW ? this.#fail(NOT_CLOSED) : undefined
  }

  #whole(texts: readonly string[]): FileRow | BrokenRow | undefined {
    const { wanted, others } = this.#columns
    // Spreadsheets write a row of separators where something was once.
    if (texts.every((text) => text === '')) return this.#begin(this.#next)
    const [half, problem] = [this.#half, this.#problemOf(texts.length)]
    this.#half = texts.length <= this.#columns.bound ? this.#number : undefined
    if (problem !== undefined) return this.#fail(problem)
    this.#fewest = Math.min(this.#fewest, texts.length)
    this.#isDoubtful = false
    const line = this.#number
    if (half !== undefined) {
      this.#begin(this.#next)
      return { line, problem: restOf(half) }
    }
    const fields: Record<string, string> = {}
    for (const [field, index] of wanted) {
      const text = texts[index]
      if (text !== undefined && text !== '') fields[field] = text
    }
    const disguised = wanted.flatMap(([field, index]) => (this.#record.disguised.has(index) ? field : []))
    this.#begin(this.#next)
    return { line, fields, others: othersIn(texts, others), ...(disguised.length > 0 && { disguised }) }
  }

  /**
   * What is wrong with a row of so many fields. An extra comma moves every field after it: the address would be that of
   * another row. Empty cells at the end may be missing, as spreadsheets write it, if nothing else can be meant by that.
   */
  #problemOf(found: number): string | undefined {
    const { count, least } = this.#columns
    if (found === count) return undefined
    if (found > count)
      return `This row has ${found} fields, the first line names ${count}. Put a field that holds a separator in quotes.`
    if (found <= least[0])
      return `This row ends before the column ${shown(least[1])}, which none may lack. Write that cell, even if it is empty; put a field that holds a line end in quotes.`
    if (this.#lines[this.#next - 1]?.isOpen === true)
      return 'The file ends within this row, and may have been cut off. Write its last cells, even if they are empty, or end its line.'
    if (this.#isDoubtful && found < this.#fewest)
      return 'This row is short, and may belong to one before it, whose quotes are not right. Correct that one first.'
    return undefined
  }

  #fail(problem: string): BrokenRow {
    const line = this.#number
    this.#isDoubtful ||= problem === AFTER_QUOTE || problem === NOT_CLOSED || this.#next > this.#start + 1
    this.#begin(this.#start + 1)
    return { line, problem }
  }

  #begin(start: number): undefined {
    this.#start = start
    this.#next = start
    this.#texts = this.#record.fields
    this.#record = new CsvRecord(this.#columns.separator)
    this.#bytes = 0
  }

  get #number(): number {
    return this.#lines[this.#start]?.number ?? 0
  }
}
