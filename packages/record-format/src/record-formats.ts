import type { RecordFormats } from '@rollcall/core'
import { csvWriter } from './csv/csv-writer.ts'
import { readCsv } from './csv/read-csv.ts'
import { ndjsonWriter } from './ndjson/ndjson-writer.ts'
import { readNdjson } from './ndjson/read-ndjson.ts'

/** NDJSON and CSV (RFC 4180), read and written in stretches, however long the file is. */
export const recordFormats: RecordFormats = {
  read: (reading) => (reading.format === 'csv' ? readCsv(reading) : readNdjson(reading)),
  write: (format, fields) => (format === 'csv' ? csvWriter(fields) : ndjsonWriter),
}
