import { InvalidInput, type RowReading } from '@rollcall/core'
import type { Line } from '../line.ts'
import { CsvRecord } from './csv-record.ts'

/** What the first line says of all others. */
export interface CsvColumns {
  readonly separator: string
  /** How many there are. */
  readonly count: number
  /** Which field is in which column, counted from 0. */
  readonly wanted: readonly (readonly [field: string, index: number])[]
}

const SEPARATORS = [',', ';', '\t']

/**
 * Finds the columns in the first line. Names are compared without regard to case and to blanks around them.
 * @throws {InvalidInput}
 */
export const csvColumnsOf = (head: Line | undefined, reading: RowReading): CsvColumns => {
  if (head === undefined) throw refused('The file is empty. Let its first line name the columns.')
  if (head.problem !== undefined) throw refused(`The first line names the columns. ${head.problem}`)
  const byFit = SEPARATORS.map((separator) => columnsBy(separator, head.text, reading)).sort(
    (a, b) => b.wanted.length - a.wanted.length,
  )
  const [best = { separator: ',', count: 0, wanted: [] }] = byFit
  for (const field of [...reading.required, ...Object.keys(reading.names)]) {
    if (best.wanted.some(([known]) => known === field)) continue
    const name = reading.names[field]
    throw name === undefined
      ? refused(`The first line names no column '${field}'. Name it so, or say what it is called there.`)
      : new InvalidInput([{ field: 'map', message: `The first line names no column '${name}'. Check the name.` }])
  }
  return best
}

const columnsBy = (separator: string, line: string, { fields, names }: RowReading): CsvColumns => {
  const record = new CsvRecord(separator)
  const problem = record.take(line)
  const columns = problem === undefined && !record.open ? record.fields.map(folded) : []
  const wanted = fields.flatMap((field) => {
    const name = folded(names[field] ?? field)
    const index = columns.indexOf(name)
    if (index !== columns.lastIndexOf(name))
      throw refused(`Two columns are named '${names[field] ?? field}'. Name the right one alone so.`)
    return index === -1 ? [] : [[field, index] as const]
  })
  return { separator, count: columns.length, wanted }
}

const folded = (name: string): string => name.trim().toLowerCase()

const refused = (message: string): InvalidInput => new InvalidInput([{ field: 'columns', message }])
