import { RollcallError, type User } from '@rollcall/client'
import { csvRow } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { requireAbsent, WholeFile } from '../whole-file.ts'

interface Refusal {
  readonly name: string
  /** For a person. */
  readonly message: string
}

/** What became, or in a dry run would become, of one row of a list. */
export interface BulkRow {
  readonly id: string
  /** By the names of `KINDS` and `COMMON`. */
  readonly outcome: string
  /** Who it is; in a dry run only. */
  readonly user?: User | undefined
  /** What a plan needs to know. */
  readonly state?: string | undefined
  readonly planned?: number | undefined
  readonly subscriptions?: { readonly erased: number; readonly kept: number } | undefined
  /** Of a deletion that can be undone: when everything is erased. */
  readonly erasesAt?: string | undefined
  readonly error?: Refusal | undefined
  /** Its id is an address that no user has. */
  readonly isAddress?: true
}

/** The same as if the service had refused this one alone. */
export const refusalOf = ({ name, message }: Refusal): RollcallError => {
  const details = name === 'InvalidInput' ? [{ field: 'reason', message }] : undefined
  return new RollcallError({ error: name, message, details, status: 0, headers: new Headers(), tries: 1 })
}

export const bulkRowRepresentation = ({ id, outcome, user, subscriptions, erasesAt, error }: BulkRow) => ({
  id,
  outcome,
  ...(user && { email: user.email, name: user.name }),
  ...(subscriptions && { subscriptions_erased: subscriptions.erased, subscriptions_kept: subscriptions.kept }),
  ...(erasesAt !== undefined && { erases_at: erasesAt }),
  ...(error && { error: error.name, message: error.message }),
})

type Line = (row: BulkRow) => string

const COLUMNS = ['id', 'outcome', 'subscriptions_erased', 'subscriptions_kept', 'email', 'name', 'error', 'message']

const ndjsonLine: Line = (row) => `${JSON.stringify(bulkRowRepresentation(row))}\n`

const csvLine: Line = (row) => {
  const record: Readonly<Record<string, unknown>> = bulkRowRepresentation(row)
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

/**
 * What became of every row, in a file; undefined if no report was asked for.
 * @throws {CliError} the file is there already, or cannot be made
 */
export const openReport = async (path: string | undefined) => {
  if (path === undefined) return undefined
  const { line, head } = formatOf(path)
  const file = await WholeFile.begin(path)
  await file.write(head)
  return { add: (row: BulkRow) => file.write(line(row)), finish: () => file.finish({ keepsDraft: true }) }
}
