import { parseOneOf } from '../text.ts'

/** The format of a file of records: one JSON object per line, or CSV whose first line names its columns. */
export type RecordFormat = 'ndjson' | 'csv'

/** The names of our fields in the file, if they differ. */
export type FieldNames = Readonly<Record<string, string>>

/** A row as it came, with the fields that were asked for by the names they have here; those it lacks are missing. */
export interface FileRow {
  /** The line of the file that it begins in, 1 for the first. */
  readonly line: number
  readonly fields: Readonly<Record<string, unknown>>
  /**
   * What it has beside them, by the names in the file, in their order. In CSV that is every other column, even if its
   * cell is empty; one without a name is called `column 3` by its place, and is left out if its cell is empty.
   */
  readonly others: readonly (readonly [name: string, value: unknown])[]
}

/** A row that cannot be read. */
export interface BrokenRow {
  readonly line: number
  /** What to do about it, for a person; without the row's content. */
  readonly problem: string
}

export interface RowReading {
  readonly format: RecordFormat
  readonly body: AsyncIterable<Uint8Array>
  /** Every field that may be there. */
  readonly fields: readonly string[]
  /** Those that are required to read the file. */
  readonly required: readonly string[]
  readonly names: FieldNames
}

export interface RecordWriter {
  /** The head of the file. */
  readonly head: string
  /** The records as text, each at its end complete. */
  text(records: readonly object[]): string
}

/** The syntax of files. The meaning of the fields is up to the caller. */
export interface RecordFormats {
  /**
   * Resolves when the head of the file has been read. The rows come in stretches, in their order, each to be gone
   * through once before the next is taken; blank lines, and rows of CSV with nothing in any cell, are skipped.
   * However long the file or a line of it is, no more than a few stretches are in memory, and nothing is read ahead of
   * the one who takes them. A row that is not UTF-8, that is longer than 64 KiB, that has a NUL, or that is not well-formed is a
   * broken row, and the next line is read as if it had not been there. Lines end with CRLF, LF or CR; a byte order mark
   * is skipped, and in CSV what directories and spreadsheets write before the names of the columns, such as `#TYPE`. What
   * the body throws comes out.
   * @throws {MalformedRequest} the file is not UTF-8 at all
   * @throws {InvalidInput} its columns are not named, named twice, or none has a name that was asked for
   */
  read(reading: RowReading): Promise<AsyncIterable<Iterable<FileRow | BrokenRow>>>
  /**
   * Writes records with these fields, in this order. In CSV a text that a spreadsheet would take for a formula (beginning
   * with `=`, `+`, `-`, `@`, a tab or CR) is given an apostrophe in front, which reading does not take away; an object is
   * a cell of JSON, and null an empty one.
   * For Excel there is a byte order mark, and what it would change, such as a long id, or take for a formula, is in a formula
   * that gives it, which reading takes away.
   * @see https://owasp.org/www-community/attacks/CSV_Injection
   */
  write(format: RecordFormat, fields: readonly string[], options?: { readonly excel?: boolean }): RecordWriter
}

export const RECORD_FORMATS = ['ndjson', 'csv'] as const satisfies readonly RecordFormat[]

/** @throws {InvalidInput} there is no such format; NDJSON by default */
export const parseRecordFormat = (text = 'ndjson'): RecordFormat => parseOneOf('format', text, RECORD_FORMATS)
