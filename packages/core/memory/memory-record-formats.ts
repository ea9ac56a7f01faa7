import {
  type BrokenRow,
  type FileRow,
  InvalidInput,
  MalformedRequest,
  memberNames,
  type RecordFormats,
  type RowReading,
} from '../src/index.ts'
import { csvRecords } from './csv-records.ts'
import { utf8Text } from './utf8-text.ts'

type Row = FileRow | BrokenRow

/** NDJSON and CSV, a whole file at a time. */
export const memoryRecordFormats: RecordFormats = {
  read: async (reading) => {
    const bytes: number[] = []
    for await (const chunk of reading.body) for (const byte of chunk) bytes.push(byte)
    if (bytes[0] === 0 || bytes[1] === 0 || bytes[0] === 0xff || bytes[0] === 0xfe)
      throw new MalformedRequest('This file is not UTF-8. Save it as UTF-8, and send it again.')
    const lines = linesOf(bytes)
    const rows = reading.format === 'csv' ? csvRows(lines, reading) : ndjsonRows(lines, reading)
    return (async function* () {
      yield rows
    })()
  },
  write: (format, fields) =>
    format === 'csv'
      ? {
          head: csvLine(fields),
          text: (records) =>
            records.map((record) => csvLine(fields.map((field) => Reflect.get(record, field) as unknown))).join(''),
        }
      : { head: '', text: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('') },
}

const LF = 0x0a
const CR = 0x0d

/** The bytes of each line. */
const linesOf = (bytes: readonly number[]): (string | undefined)[] => {
  const lines: number[][] = [[]]
  for (const [at, byte] of bytes.entries()) {
    if (byte === CR || (byte === LF && bytes[at - 1] !== CR)) lines.push([])
    else if (byte !== LF) lines.at(-1)?.push(byte)
  }
  if (lines.at(-1)?.length === 0) lines.pop()
  return lines.map((line, index) => {
    const text = utf8Text(line)
    return index === 0 ? text?.replace(/^\ufeff/, '') : text
  })
}

const unreadable = (line: string | undefined): string | undefined => {
  if (line === undefined) return 'This row is not UTF-8. Save the file as UTF-8.'
  if (line.length > 65_536) return 'This row is longer than 64 KiB. Shorten it.'
  return line.includes('\0') ? 'This row has a NUL character. Remove it.' : undefined
}

const ndjsonRows = (lines: readonly (string | undefined)[], { fields, names }: RowReading): Row[] =>
  lines.flatMap((text, index): Row[] => {
    const line = index + 1
    if (text?.trim() === '') return []
    const problem = unreadable(text)
    const object = problem === undefined ? parsed(text ?? '') : undefined
    if (object === undefined) return [{ line, problem: problem ?? 'This row is not a JSON object.' }]
    const found = memberNames(text ?? '')
    const wanted = fields.map((field) => [field, names[field] ?? field] as const)
    if (wanted.some(([, name]) => found.indexOf(name) !== found.lastIndexOf(name)))
      return [{ line, problem: 'This row has a field more than once.' }]
    const present = wanted.filter(([, name]) => found.includes(name))
    return [{ line, fields: Object.fromEntries(present.map(([field, name]) => [field, object[name]])) }]
  })

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

const csvRows = (lines: readonly (string | undefined)[], { fields, required, names }: RowReading): Row[] => {
  const begin = lines.findIndex((line) => line === undefined || line.trim() !== '')
  const head = lines[begin]
  const separator = [',', ';', '\t'].find((one) => head?.includes(one)) ?? ','
  const [named] = csvRecords([head ?? ''], 0, separator, unreadable)
  const columns = named !== undefined && 'texts' in named ? named.texts.map((name) => name.trim().toLowerCase()) : []
  const wanted = fields.map((field) => [field, columns.indexOf((names[field] ?? field).toLowerCase())] as const)
  for (const [field, index] of wanted) {
    if (index === -1 && names[field] !== undefined) throw refused('map', `No column is named '${names[field]}'.`)
    if (index === -1 && required.includes(field)) throw refused('columns', `No column is named '${field}'.`)
    if (index !== columns.lastIndexOf(columns[index] ?? '')) throw refused('columns', `Two are named '${field}'.`)
  }
  return csvRecords(lines, begin + 1, separator, unreadable).map((record) => {
    if ('problem' in record) return record
    const { line, texts } = record
    if (texts.length !== columns.length) return { line, problem: `This row has ${texts.length} fields.` }
    const given = wanted.filter(([, index]) => index !== -1 && texts[index] !== '')
    return { line, fields: Object.fromEntries(given.map(([field, index]) => [field, texts[index]])) }
  })
}

const refused = (field: string, message: string): InvalidInput => new InvalidInput([{ field, message }])

const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\r\n`

const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
