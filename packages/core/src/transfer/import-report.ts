import { type FieldProblem, InvalidInput } from '../errors.ts'
import type { SubscriptionStatus } from '../subscriptions/subscription.ts'
import type { UnreadField } from './unread-values.ts'

/** Why a row was not imported. */
export type RowRefusalName = 'FeedNotFound' | 'InvalidInput' | 'MalformedRow' | 'Suppressed'

/** One row that was not imported; of its content only a value that cannot be read. */
export interface RefusedRow<Name extends string = RowRefusalName> {
  /** The line of the file that it begins in, 1 for the first. */
  readonly line: number
  readonly error: Name
  readonly message: string
  readonly details?: readonly FieldProblem[]
}

/** How far an import has come. */
export interface ImportCounts {
  /** As many as were read. */
  readonly rows: number
  readonly imported: number
  /** Were there already, and stay as they are. */
  readonly unchanged: number
  readonly refused: number
  /** The status of the imported rows. */
  readonly confirmed: number
  readonly pending: number
  readonly ended: number
}

/** The last line of a report. */
export interface ImportSummary extends ImportCounts, EndOfImport {
  /** Were there already, and got a name or fields; missing if that was not asked for. */
  readonly updated?: number
  /** Optional values that could not be read, and were left out; missing if there were none. */
  readonly unread?: readonly UnreadField[]
}

/** What the last line of every report has. */
export interface EndOfImport {
  /** Whoever sends a file may stop before its end, and say so: here, the file is over when its body is. */
  readonly interrupted: boolean
  /** Nothing was changed: the report says what would be. Missing if it was done. */
  readonly dry_run?: true
  /** The columns that were not used; missing if there were none. */
  readonly ignored?: readonly string[]
}

/** @see EndOfImport */
export const endOfImport = (
  dryRun: boolean,
  { names: ignored }: { readonly names: readonly string[] },
): EndOfImport => ({
  interrupted: false,
  ...(dryRun && { dry_run: true }),
  ...(ignored.length > 0 && { ignored }),
})

export type ImportReportLine = RefusedRow | ImportSummary

export const isRefusedRow = <Line extends object>(line: Line): line is Extract<Line, RefusedRow<string>> =>
  'line' in line

/** @throws whatever is not about the fields of a row */
export const invalidRow = (line: number, error: unknown): RefusedRow<'InvalidInput'> => {
  if (!(error instanceof InvalidInput)) throw error
  const message = error.details.map((problem) => `'${problem.field}': ${problem.message}`).join(' ')
  return { line, error: 'InvalidInput', message, details: error.details }
}

/** Counts the rows of an import. */
export class ImportTally {
  #updated = 0
  readonly #counts = { rows: 0, imported: 0, unchanged: 0, refused: 0, confirmed: 0, pending: 0, ended: 0 }

  /** Adds a row: a status says that it was imported with that. */
  count(outcome: 'refused' | 'unchanged' | 'updated' | SubscriptionStatus): void {
    this.#counts.rows++
    if (outcome === 'updated') {
      this.#updated++
      return
    }
    this.#counts[outcome]++
    if (outcome !== 'refused' && outcome !== 'unchanged') this.#counts.imported++
  }

  add(other: ImportTally): void {
    this.#updated += other.#updated
    for (const [name, count] of Object.entries(other.counts)) this.#counts[name as keyof ImportCounts] += count
  }

  /** Were there already, and got a name or fields. */
  get updated(): number {
    return this.#updated
  }

  get counts(): ImportCounts {
    return { ...this.#counts }
  }
}
