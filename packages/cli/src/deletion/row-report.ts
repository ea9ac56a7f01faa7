import { csvRow } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { NewFile, requireAbsent } from '../new-file.ts'
import type { BulkRun } from './bulk-run.ts'
import { type DeletionRow, deletionRowRepresentation } from './deletion-row.ts'

type Line = (row: DeletionRow) => string

const COLUMNS = ['id', 'outcome', 'subscriptions_erased', 'subscriptions_kept', 'email', 'name', 'error', 'message']

const ndjsonLine: Line = (row) => `${JSON.stringify(deletionRowRepresentation(row))}\n`

const csvLine: Line = (row) => {
  const record: Readonly<Record<string, unknown>> = deletionRowRepresentation(row)
  return csvRow(COLUMNS.map((column) => record[column]))
}

const FORMATS: readonly { ending: string; line: Line; head: string }[] = [
  { ending: '.csv', line: csvLine, head: csvRow(COLUMNS) },
  { ending: '.ndjson', line: ndjsonLine, head: '' },
  { ending: '.jsonl', line: ndjsonLine, head: '' },
]

const formatOf = (path: string) => {
  const format = FORMATS.find(({ ending }) => path.toLowerCase().endsWith(ending))
  if (format !== undefined) return format
  throw usageError(`The name of a report says how it is written: give one that ends in .ndjson or .csv, not '${path}'.`)
}

/** @throws {CliError} no report can have this name, or there is a file of this name */
export const requireNewReport = async (path: string | undefined): Promise<void> => {
  if (path === undefined) return
  formatOf(path)
  await requireAbsent(path)
}

/** What became of every row, in a file; nothing where none was asked for. */
export class RowReport {
  readonly #file: NewFile | undefined
  readonly #line: Line

  private constructor(file: NewFile | undefined, line: Line) {
    this.#file = file
    this.#line = line
  }

  /** @throws {CliError} the file is there already, or cannot be made */
  static async open(path: string | undefined): Promise<RowReport> {
    if (path === undefined) return new RowReport(undefined, ndjsonLine)
    const { line, head } = formatOf(path)
    const file = await NewFile.create(path)
    await file.write(head)
    return new RowReport(file, line)
  }

  /** What goes wrong with it ends the run. */
  async add(row: DeletionRow, run: BulkRun): Promise<void> {
    await endingOnFailure(run, async () => await this.#file?.write(this.#line(row)))
  }

  async finish(run: BulkRun): Promise<void> {
    await endingOnFailure(run, async () => await this.#file?.finish())
  }
}

const endingOnFailure = async (run: BulkRun, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    run.fail(error)
  }
}
