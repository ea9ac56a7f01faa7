import { refusedError } from '../cli-error.ts'
import type { BulkTally } from './bulk-report.ts'

/**
 * A list that turns out to be empty is more often the end of something that failed than meant.
 * @throws {CliError} the list names no user, and may not be empty
 */
export const requireRows = (tally: BulkTally, { allowEmpty }: { readonly allowEmpty: boolean }): void => {
  if (tally.isEmpty && !allowEmpty)
    throw refusedError('EmptyList', 'The list names no user. If it may be empty, add --allow-empty.')
}
