import { StorageNotUsable } from '../storage-not-usable.ts'

/** What is noted in a database while a move into it is under way. */
export interface MoveNote {
  readonly from: string
  /** Rows of each table, and the highest number that it gave out. */
  readonly tables: Readonly<Record<string, readonly [rows: number, counter: number]>>
}

/** A table that is there from before a database to move into has its tables, until the note takes its place. */
export const UNFINISHED_MOVE = 'unfinished_move'

/**
 * Nobody may use what is only made ready for a move.
 * @throws {StorageNotUsable} a move into the database was begun, and nothing is in it yet
 */
export const requireNotBegun = (tables: readonly string[], database: string): void => {
  if (!tables.includes(UNFINISHED_MOVE)) return
  const message = `A move into the database ${database} was begun. Run the same \`rollcall migrate-data\` again: it goes on where it was.`
  throw new StorageNotUsable('half-moved', message)
}

/**
 * Nobody may take a part for the whole.
 * @throws {StorageNotUsable} a move into the database was begun and not finished
 */
export const requireWhole = (note: string | undefined, database: string): void => {
  if (note === undefined) return
  const { from } = JSON.parse(note) as MoveNote
  const message = `The database ${database} holds a part of what is moved here from ${from}. Run the same \`rollcall migrate-data\` again: it goes on where it was.`
  throw new StorageNotUsable('half-moved', message)
}
