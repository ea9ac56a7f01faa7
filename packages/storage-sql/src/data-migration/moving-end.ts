import type { AuditReader } from '@rollcall/core'
import type { MovedTable } from './moved-tables.ts'

/** A value as both databases have it: true and false are 1 and 0. */
export type Cell = string | number | null
export type Cells = readonly Cell[]

/** A database that is locked for other writers as long as it is open. */
export interface MovingEnd {
  /** For messages; without a password. */
  readonly name: string
  count(table: MovedTable): Promise<number>
  /** Rows in the order of their keys, behind the row with the key `after`; without it from the first one on. */
  rows(table: MovedTable, after: Cells | undefined, limit: number): Promise<readonly Cells[]>
  /** The highest number that a counted table ever gave out. */
  counter(table: MovedTable): Promise<number>
  /** Closing twice is closing once. */
  close(): Promise<void>
}

/** A database that is to become the same as another. */
export interface MovingTarget extends MovingEnd {
  /** What was noted when a move into it began; undefined where none is under way. */
  noted(): Promise<string | undefined>
  /** Notes that a move is under way, and takes away what every new database has. Until `finish` it cannot be opened otherwise. */
  begin(note: string): Promise<void>
  /** The key of the last row. */
  last(table: MovedTable): Promise<Cells | undefined>
  /** All of the rows, or none: on durable storage once this resolves. */
  insert(table: MovedTable, rows: readonly Cells[]): Promise<void>
  setCounter(table: MovedTable, value: number): Promise<void>
  /** Settles a value that only databases of several instances remember. */
  readonly resettle?: (name: string, value: string) => Promise<void>
  /** From now on it may be used. */
  finish(): Promise<void>
  readonly audit: AuditReader
}
