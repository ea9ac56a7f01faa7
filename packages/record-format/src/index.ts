import { csvRow, type RecordFormats, type RecordWriter } from '@rollcall/core'
import { readCsv } from './read-csv.ts'
import { readNdjson } from './read-ndjson.ts'

/** NDJSON and CSV (RFC 4180), read and written piece by piece, however long the file is. */
export const recordFormats: RecordFormats = {
  read: (reading) => (reading.format === 'csv' ? readCsv(reading) : readNdjson(reading)),
  write: (format, fields, options) => (format === 'csv' ? csvWriter(fields, options) : ndjsonWriter),
}

// Rows are joined, not added one by one: a text in thousands of pieces costs more to collect than to make.
const csvWriter = (fields: readonly string[], { excel = false } = {}): RecordWriter => ({
  head: `${excel ? '\ufeff' : ''}${csvRow(fields)}`,
  text: (records) => records.map((record) => csvRow(valuesOf(record, fields), { excel })).join(''),
})

const valuesOf = (record: object, fields: readonly string[]): unknown[] =>
  fields.map((field) => (record as Readonly<Record<string, unknown>>)[field])

const ndjsonWriter: RecordWriter = {
  head: '',
  text: (records) => (records.length === 0 ? '' : `${records.map((record) => JSON.stringify(record)).join('\n')}\n`),
}
