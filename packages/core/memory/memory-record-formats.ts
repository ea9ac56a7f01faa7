import {
  type BrokenRow,
  CsvRecord,
  csvRow,
  type FileRow,
  InvalidInput,
  MalformedRequest,
  memberNames,
  preambleIn,
  type RecordFormats,
  type RowReading,
} from '../src/index.ts'

type Row = FileRow | BrokenRow
/** Without its end; undefined where it is not UTF-8. */
type Line = string | undefined
type Stretches = AsyncGenerator<Line[], undefined>
type NumberedRecord = { readonly line: number; readonly texts: readonly string[] } | BrokenRow

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
  write: (format, fields, { excel = false } = {}) =>
    format === 'csv'
      ? {
          head: `${excel ? '\ufeff' : ''}${csvRow(fields)}`,
          text: (records) =>
            records
              .map((record) =>
                csvRow(
                  fields.map((field) => Reflect.get(record, field) as unknown),
                  { excel },
                ),
              )
              .join(''),
        }
      : { head: '', text: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('') },
}

/** The text of these bytes; undefined where they are not UTF-8. */
const utf8Text = (bytes: readonly number[]): string | undefined => {
  const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  try {
    return decodeURIComponent(escaped)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

const LF = 0x0a
const CR = 0x0d

/** The lines of a file in stretches, as they come; undefined for one that is not UTF-8. */
async function* byteLines(body: AsyncIterable<Uint8Array>): Stretches {
  let rest: number[] = []
  let before = 0
  let isFirst = true
  for await (const chunk of body) {
    const lines: number[][] = []
    for (const byte of chunk) {
      if (byte === CR || (byte === LF && before !== CR)) {
        lines.push(rest)
        rest = []
      } else if (byte !== LF) rest.push(byte)
      before = byte
    }
    if (lines.length === 0) continue
    yield lines.map((line, index) => textOf(line, isFirst && index === 0))
    isFirst = false
  }
  if (rest.length > 0) yield [textOf(rest, isFirst)]
  return undefined
}

const textOf = (line: readonly number[], isFirst: boolean): string | undefined => {
  if (!isFirst) return utf8Text(line)
  const [first, second] = line
  if (
    ['504b0304', 'd0cf11e0'].includes(
      line
        .slice(0, 4)
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
    )
  )
    throw new MalformedRequest('This file is a workbook or an archive, not text. Save the sheet as CSV, and send that.')
  if (first === 0 || second === 0 || first === 0xff || first === 0xfe)
    throw new MalformedRequest('This file is not UTF-8. Save it as UTF-8, and send it again.')
  return utf8Text(line)?.replace(/^\ufeff/, '')
}

const BROKEN = 'The quotes of this row are broken.'

/** What keeps a line from being read at all. */
const unreadable = (line: Line): string | undefined => {
  if (line === undefined) return 'This row is not UTF-8. Save the file as UTF-8.'
  if (line.length > 65_536) return 'This row is longer than 64 KiB. Shorten it.'
  return line.includes('\0') ? 'This row has a NUL character. Remove it.' : undefined
}

/** The records of CSV, of which `begin` lines came before; one that is broken costs its first line alone. */
async function* csvRecords(
  stretches: AsyncIterable<readonly Line[]>,
  separator: string,
  begin: number,
): AsyncGenerator<NumberedRecord[]> {
  let lines: readonly Line[] = []
  let number = begin + 1
  const take = (isLast: boolean): NumberedRecord[] => {
    const records: NumberedRecord[] = []
    let at = 0
    while (at < lines.length) {
      const line = number + at
      const problem = unreadable(lines[at])
      const found = problem === undefined ? recordAt(lines, at, separator) : 'broken'
      if (found === 'open' && !isLast) break
      if (lines[at]?.trim() !== '')
        records.push(typeof found === 'object' ? { line, texts: found.texts } : { line, problem: problem ?? BROKEN })
      at = typeof found === 'object' ? found.next : at + 1
    }
    lines = lines.slice(at)
    number += at
    return records
  }
  for await (const stretch of stretches) {
    lines = [...lines, ...stretch]
    yield take(false)
  }
  yield take(true)
}

const recordAt = (lines: readonly Line[], at: number, separator: string) => {
  const record = new CsvRecord(separator)
  for (let next = at, length = 0; next < lines.length; next++) {
    const line = lines[next]
    if (line === undefined || length > 65_536 || record.take(line) !== undefined) return 'broken'
    if (!record.open) return { texts: record.fields, next: next + 1 }
    length += line.length
  }
  return 'open'
}

async function* resumed(first: Line[], rest: Stretches): AsyncGenerator<Line[]> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

async function* ndjsonRows(first: Line[], rest: Stretches, reading: RowReading): AsyncGenerator<Row[]> {
  let line = 0
  for await (const texts of resumed(first, rest)) {
    const rows = texts.map((text) => ({ text, row: ndjsonRow(++line, text, reading) }))
    yield rows.filter(({ text }) => text?.trim() !== '').map(({ row }) => row)
  }
}

const ndjsonRow = (line: number, text: Line, { fields, names }: RowReading): Row => {
  const problem = unreadable(text)
  const object = text !== undefined && problem === undefined ? parsed(text) : undefined
  if (text === undefined || object === undefined) return { line, problem: problem ?? 'This row is not a JSON object.' }
  const found = memberNames(text)
  const wanted = fields.map((field) => [field, names[field] ?? field] as const)
  if (wanted.some(([, name]) => found.indexOf(name) !== found.lastIndexOf(name)))
    return { line, problem: 'This row has a field more than once.' }
  const present = wanted.filter(([, name]) => found.includes(name))
  const others = Object.entries(object).filter(([name]) => !wanted.some(([, one]) => one === name))
  return { line, fields: Object.fromEntries(present.map(([field, name]) => [field, object[name]])), others }
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

const saysNothing = (line: Line | undefined): boolean => line?.trim() === '' || preambleIn(line ?? '') !== undefined

const csvRows = async (first: Line[], rest: Stretches, reading: RowReading) => {
  let lines = first
  let before = 0
  for (let blank = 0; ; blank = 0) {
    while (blank < lines.length && saysNothing(lines[blank])) blank++
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
  const names = record.take(head) === undefined ? record.fields.map((name) => name.trim()) : []
  const columns = names.map((name) => name.toLowerCase())
  const wanted = wantedIn(columns, reading)
  const records = csvRecords(resumed(lines.slice(1), rest), separator, before + 1)
  return (async function* () {
    for await (const some of records)
      yield some.filter(hasSomething).map((record): Row => {
        if ('problem' in record) return record
        const { line, texts } = record
        if (texts.length !== columns.length) return { line, problem: `This row has ${texts.length} fields.` }
        const given = wanted.filter(([, index]) => texts[index] !== '')
        const others = names
          .map((name, index) => [name || `column ${index + 1}`, texts[index]] as const)
          .filter(([, text], index) => !wanted.some(([, taken]) => taken === index) && (names[index] || text))
        return { line, fields: Object.fromEntries(given.map(([field, index]) => [field, texts[index]])), others }
      })
  })()
}

const hasSomething = (record: NumberedRecord): boolean =>
  'problem' in record || record.texts.some((text) => text !== '')

const wantedIn = (columns: readonly string[], { fields, required, names }: RowReading) => {
  const places = fields.map((field) => [field, columns.indexOf((names[field] ?? field).toLowerCase())] as const)
  for (const [field, index] of places) {
    if (index === -1 && names[field] !== undefined) throw refused('map', `No column is named '${names[field]}'.`)
    if (index === -1 && required.includes(field)) throw refused('columns', `No column is named '${field}'.`)
    if (index !== -1 && index !== columns.lastIndexOf(columns[index] ?? ''))
      throw refused('columns', `Two are named '${field}'.`)
  }
  return places.filter(([, index]) => index !== -1)
}

const refused = (field: string, message: string): InvalidInput => new InvalidInput([{ field, message }])
