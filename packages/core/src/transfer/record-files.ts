import { type CsvSeparator, csvRow } from './csv.ts'
import { readCsv } from './read-csv.ts'
import { readNdjson } from './read-ndjson.ts'
import type { BrokenRow, FileRow, RecordFormat, RecordWriter, RowReading } from './record-formats.ts'

/**
 * Resolves when the head of the file has been read. The rows come in stretches, in their order, each to be gone
 * through once before the next is taken; blank lines, and rows of CSV with nothing in any cell, are skipped. Cells that
 * are missing at the end of a row of CSV are empty ones, if none of their columns decides.
 * However long the file or a line of it is, no more than a few stretches are in memory, and nothing is read ahead of
 * the one who takes them. A row that is not UTF-8, that is longer than 64 KiB, that has a NUL, or that is not well-formed is a
 * broken row, and the next line is read as if it had not been there. Lines end with CRLF, LF or CR; a byte order mark
 * is skipped. What the body throws comes out.
 * @throws {MalformedRequest} the file is not UTF-8 at all
 * @throws {InvalidInput} its columns are not named, named twice, or none has a name that was asked for
 */
export const readRecords = (reading: RowReading): Promise<AsyncIterable<Iterable<FileRow | BrokenRow>>> =>
  reading.format === 'csv' ? readCsv(reading) : readNdjson(reading)

/**
 * Writes records with these fields, in this order. In CSV a text that a spreadsheet would take for a formula (beginning
 * with `=`, `+`, `-`, `@`, a tab or CR) is given an apostrophe in front, which reading takes away and says; an object is a
 * cell of JSON, and null an empty one.
 * For Excel there is a byte order mark, and what it would change, such as a long id, or take for a formula, is in a formula
 * that gives it, which reading takes away.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export const recordWriter = (
  format: RecordFormat,
  fields: readonly string[],
  { excel = false, separator = ',' }: { readonly excel?: boolean; readonly separator?: CsvSeparator } = {},
): RecordWriter => {
  // Rows are joined, not added one by one: a text in thousands of pieces costs more to collect than to make.
  if (format === 'ndjson')
    return { head: '', text: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('') }
  const rowOf = (record: object): string =>
    csvRow(
      fields.map((field) => Reflect.get(record, field)),
      { excel, separator },
    )
  return {
    head: `${excel ? '\ufeff' : ''}${csvRow(fields, { separator })}`,
    text: (records) => records.map(rowOf).join(''),
  }
}
