import { csvRow, type DomainError, InvalidInput, type PublishedUser, UserDeleted, UserNotFound } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { NewFile, requireAbsent } from '../new-file.ts'
import type { DeletionPlan } from './deletion-plan.ts'
import type { IdRow } from './id-source.ts'

/** What an operator orders for every user to be deleted. */
export interface DeletionTerms {
  readonly reason: string | undefined
  /** What becomes of subscriptions of the same addresses. */
  readonly subscriptions: 'keep' | 'erase'
  /** The plan that is applied. */
  readonly plan?: DeletionPlan
}

/** What may become of one row of a list, in the words of rows and of counts alike. */
export const OUTCOMES = {
  deleted: 'deleted',
  would_delete: 'would be deleted',
  already_deleted: 'deleted already',
  not_found: 'not found',
  refused: 'refused',
  /** Refused when the plan was made, so not tried. */
  left_out: 'left out by the plan',
  repeated: 'repeated',
  blank: 'blank',
} as const

export type DeletionOutcome = keyof typeof OUTCOMES

/** What became, or in a dry run would become, of one row. */
export interface DeletionRow {
  readonly id: string
  readonly outcome: DeletionOutcome
  /** Who it is; in a dry run only. */
  readonly user?: PublishedUser | undefined
  readonly subscriptions?: { readonly erased: number; readonly kept: number } | undefined
  /** Why it was refused; the message is for a person. */
  readonly error?: { readonly name: string; readonly message: string } | undefined
}

/** The row of an id that was not deleted. */
export const refusedRow = ({ id, repeated }: IdRow, error: DomainError, user?: PublishedUser): DeletionRow => {
  // Its first occurrence had its own outcome, and that is the one to count.
  if (repeated) return { id, outcome: 'repeated' }
  if (error instanceof UserDeleted) return { id, outcome: 'already_deleted' }
  const reason = { name: error.name, message: reasonOf(error) }
  if (error instanceof UserNotFound) return { id, outcome: 'not_found', error: reason }
  return { id, outcome: 'refused', error: reason, user }
}

export const deletionRowRepresentation = ({ id, outcome, user, subscriptions, error }: DeletionRow) => ({
  id,
  outcome,
  ...(user && { email: user.email, name: user.name }),
  ...(subscriptions && { subscriptions_erased: subscriptions.erased, subscriptions_kept: subscriptions.kept }),
  ...(error && { error: error.name, message: error.message }),
})

/** Of an `InvalidInput` what is wrong with the field. */
const reasonOf = (error: DomainError): string =>
  error instanceof InvalidInput ? error.details.map(({ message }) => message).join(' ') : error.message

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

/** What became of every row, in a file; undefined where no report was asked for. */

/** @throws {CliError} the file is there already, or cannot be made */
export const openReport = async (path: string | undefined) => {
  if (path === undefined) return undefined
  const { line, head } = formatOf(path)
  const file = await NewFile.create(path)
  await file.write(head)
  return { add: (row: DeletionRow) => file.write(line(row)), finish: () => file.finish() }
}
