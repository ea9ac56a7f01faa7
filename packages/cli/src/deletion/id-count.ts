import { usageError } from '../cli-error.ts'
import type { IdRow, IdSource } from './id-source.ts'

export interface IdCount {
  readonly rows: number
  /** Different ones that shall be deleted. */
  readonly users: number
  readonly first: string | undefined
}

/** @throws {CliError} the list is broken somewhere, be it at its end */
export const countIds = async (source: IdSource): Promise<IdCount> => {
  let [rows, users, first] = [0, 0, undefined as string | undefined]
  for await (const row of source.rows()) {
    rows++
    if (!isToBeDeleted(row)) continue
    users++
    first ??= row.id
  }
  return { rows, users, first }
}

/** The rows, for as long as they hold no more users than were counted, and agreed to. */
export async function* noMoreThan(users: number, rows: AsyncIterable<IdRow>): AsyncGenerator<IdRow> {
  let left = users
  for await (const row of rows) {
    if (isToBeDeleted(row) && --left < 0)
      throw usageError('The list has grown since it was counted. Run the command again for the rest.')
    yield row
  }
}

const isToBeDeleted = ({ id, repeated, planned }: IdRow): boolean =>
  id !== '' && !repeated && planned?.refusal === undefined
