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
   * cell is empty or missing; one without a name is called `column 3` by its place, and is left out if its cell is empty.
   */
  readonly others: readonly (readonly [name: string, value: unknown])[]
  /** Fields from which an apostrophe was taken away that spreadsheets need, or that was part of the text. */
  readonly disguised?: readonly string[]
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
  /** Whether a column or field may decide over people: then no row of CSV may end before it. All do if it is left out. */
  readonly decides?: (name: string) => boolean
  /** The field that is an address in every row: a line of CSV that has none may be the rest of the row before it. */
  readonly address?: string
}

export interface RecordWriter {
  /** The head of the file. */
  readonly head: string
  /** The records as text, each at its end complete. */
  text(records: readonly object[]): string
}

export const RECORD_FORMATS = ['ndjson', 'csv'] as const satisfies readonly RecordFormat[]

/** @throws {InvalidInput} there is no such format; NDJSON by default */
export const parseRecordFormat = (text = 'ndjson'): RecordFormat => parseOneOf('format', text, RECORD_FORMATS)
