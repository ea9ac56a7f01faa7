import { invalidRow, type RefusedRow } from './import-report.ts'
import type { BrokenRow, FileRow } from './record-formats.ts'
import type { UnusedColumns } from './unused-columns.ts'

/** The rows of a file, in stretches. */
export type Rows = AsyncIterable<Iterable<FileRow | BrokenRow>>

/**
 * Reads a row of a file; one that is broken or not valid is refused.
 * @throws {InvalidInput} the first row has a column that must not be dropped
 */
export const readRow =
  <Row>(unused: UnusedColumns, parse: (row: FileRow) => Row) =>
  (row: FileRow | BrokenRow): Row | RefusedRow<'MalformedRow' | 'InvalidInput'> => {
    if ('problem' in row) return { line: row.line, error: 'MalformedRow', message: row.problem }
    unused.note(row.others)
    try {
      return parse(row)
    } catch (error) {
      return invalidRow(row.line, error)
    }
  }

export const isRefused = <Row extends object>(row: Row): row is Extract<Row, RefusedRow<string>> => 'error' in row

/** What became of the first rows that were in hand: of how many, and which of them were refused. */
export interface UnitReport<Refusal> {
  readonly rows: number
  readonly refusals: readonly Refusal[]
}

/** How many rows are held at a time: more than a unit of work has time for. */
const MOST_IN_HAND = 600

/**
 * Takes rows in hand and has as many of them carried out as a unit of work has time for, again and again. Gives the
 * refusals in the order of the file, each when what comes before it is done; as long as the next is not taken, nothing
 * is read.
 */
export async function* importInUnits<Row, Refusal>(
  rows: Rows,
  read: (row: FileRow | BrokenRow) => Row,
  carryOut: (inHand: readonly Row[]) => Promise<UnitReport<Refusal>>,
): AsyncGenerator<Refusal> {
  let inHand: Row[] = []
  const unit = async () => {
    const report = await carryOut(inHand)
    inHand = inHand.slice(report.rows)
    return report.refusals
  }
  for await (const stretch of rows) {
    for (const row of stretch) {
      inHand.push(read(row))
      if (inHand.length >= MOST_IN_HAND) yield* await unit()
    }
  }
  while (inHand.length > 0) yield* await unit()
}
