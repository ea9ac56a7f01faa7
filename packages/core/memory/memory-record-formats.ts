import {
  type BrokenRow,
  CsvRecord,
  csvRow,
  type FileRow,
  InvalidInput,
  memberNames,
  type RecordFormats,
  type RowReading,
} from '../src/index.ts'
import { byteLines } from './byte-lines.ts'
import { csvRecords, unreadable } from './csv-records.ts'

type Row = FileRow | BrokenRow
type Lines = AsyncGenerator<(string | undefined)[], undefined>

/** NDJSON and CSV, read and written as plainly as can be. */
export const memoryRecordFormats: RecordFormats = {
  read: async (reading) => {
    const lines = byteLines(reading.body)
    try {
      const { value = [] } = await lines.next()
      return reading.format === 'csv' ? await csvRows(value, lines, reading) : ndjsonRows(value, lines, reading)
    } catch (error) {
      await lines.return(undefined)
      throw error
    }
  },
  write: (format, fields) =>
    format === 'csv'
      ? {
          head: csvRow(fields),
          text: (records) =>
            records.map((record) => csvRow(fields.map((field) => Reflect.get(record, field) as unknown))).join(''),
        }
      : { head: '', text: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('') },
}

async function* resumed(first: (string | undefined)[], rest: Lines): AsyncGenerator<(string | undefined)[]> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

async function* ndjsonRows(first: (string | undefined)[], rest: Lines, reading: RowReading): AsyncGenerator<Row[]> {
  let line = 0
  for await (const texts of resumed(first, rest)) {
    const rows = texts.map((text) => ({ text, row: ndjsonRow(++line, text, reading) }))
    yield rows.filter(({ text }) => text?.trim() !== '').map(({ row }) => row)
  }
}

const ndjsonRow = (line: number, text: string | undefined, { fields, names }: RowReading): Row => {
  const problem = unreadable(text)
  const object = text !== undefined && problem === undefined ? parsed(text) : undefined
  if (text === undefined || object === undefined) return { line, problem: problem ?? 'This row is not a JSON object.' }
  const found = memberNames(text)
  const wanted = fields.map((field) => [field, names[field] ?? field] as const)
  if (wanted.some(([, name]) => found.indexOf(name) !== found.lastIndexOf(name)))
    return { line, problem: 'This row has a field more than once.' }
  const present = wanted.filter(([, name]) => found.includes(name))
  return { line, fields: Object.fromEntries(present.map(([field, name]) => [field, object[name]])) }
}

const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const csvRows = async (first: (string | undefined)[], rest: Lines, reading: RowReading) => {
  let lines = first
  let before = 0
  for (let blank = 0; ; blank = 0) {
    while (blank < lines.length && lines[blank]?.trim() === '') blank++
    before += blank
    lines = lines.slice(blank)
    if (lines.length > 0) break
    const { value, done } = await rest.next()
    if (done === true) break
    lines = value
  }
  const [head = ''] = lines
  const separator = [',', ';', '\t'].find((one) => head.includes(one)) ?? ','
  const record = new CsvRecord(separator)
  const columns = record.take(head) === undefined ? record.fields.map((name) => name.trim().toLowerCase()) : []
  const wanted = wantedIn(columns, reading)
  const records = csvRecords(resumed(lines.slice(1), rest), separator, before + 1)
  return (async function* () {
    for await (const some of records)
      yield some.map((record): Row => {
        if ('problem' in record) return record
        const { line, texts } = record
        if (texts.length !== columns.length) return { line, problem: `This row has ${texts.length} fields.` }
        const given = wanted.filter(([, index]) => texts[index] !== '')
        return { line, fields: Object.fromEntries(given.map(([field, index]) => [field, texts[index]])) }
      })
  })()
}

const wantedIn = (columns: readonly string[], { fields, required, names }: RowReading) => {
  const places = fields.map((field) => [field, columns.indexOf((names[field] ?? field).toLowerCase())] as const)
  for (const [field, index] of places) {
    if (index === -1 && names[field] !== undefined) throw refused('map', `No column is named '${names[field]}'.`)
    if (index === -1 && required.includes(field)) throw refused('columns', `No column is named '${field}'.`)
    if (index !== columns.lastIndexOf(columns[index] ?? '')) throw refused('columns', `Two are named '${field}'.`)
  }
  return places.filter(([, index]) => index !== -1)
}

const refused = (field: string, message: string): InvalidInput => new InvalidInput([{ field, message }])
