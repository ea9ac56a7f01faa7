import type { AuditReader } from '@rollcall/core'
import { type Cell, columnsOf, keyOf } from '../tables/table.ts'
import { MIGRATED_TABLES, type MigratedTable } from './migrated-tables.ts'

/** Values as both databases have them: true and false are 1 and 0. */
export type Cells = readonly Cell[]

/** A database that is locked for other writers as long as it is open. */
export interface MigrationEnd {
  /** For messages; without a password. */
  readonly name: string
  count(table: MigratedTable): Promise<number>
  /** Rows in the order of their keys, behind the row with the key `after`; without it from the first one on. */
  rows(table: MigratedTable, after: Cells | undefined, limit: number): Promise<readonly Cells[]>
  /** The highest number that a counted table ever gave out. */
  counter(table: MigratedTable): Promise<number>
  /** Closing twice is closing once. */
  close(): Promise<void>
}

/** A database that is to become the same as another. */
export interface MigrationTarget extends MigrationEnd {
  /** What was noted when a move into it began; undefined if none is under way. */
  noted(): Promise<string | undefined>
  /** Notes that a move is under way, and takes away what every new database has. Until `finish` it cannot be opened otherwise. */
  begin(note: string): Promise<void>
  /** The key of the last row. */
  last(table: MigratedTable): Promise<Cells | undefined>
  /** All of the rows, or none: on durable storage once this resolves. */
  insert(table: MigratedTable, rows: readonly Cells[]): Promise<void>
  setCounter(table: MigratedTable, value: number): Promise<void>
  /** Settles a value that only databases of several instances remember. */
  readonly resettle?: (name: string, value: string) => Promise<void>
  /** From now on it may be used. */
  finish(): Promise<void>
  readonly audit: AuditReader
}

// What is settled are a handful of values.
const MANY = 1_000

/** A value that was settled in a database, such as the fingerprint of a secret. */
export const valueIn = async (end: MigrationEnd, name: string): Promise<string | undefined> => {
  const instance = MIGRATED_TABLES.filter((table) => table.name === 'instance')
  for (const table of instance)
    for (const [known, value] of await end.rows(table, undefined, MANY)) if (known === name) return String(value)
  return undefined
}

/** The rows but for those of this database alone. */
const where = ({ except = [], ...table }: MigratedTable, ...conditions: readonly string[]): string => {
  const others = except.map((value) => `'${value}'`).join(', ')
  const all = others === '' ? conditions : [...conditions, `${keyOf(table)[0]} NOT IN (${others})`]
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`
}

/** Statements of both databases, with `?` for each value in turn. */
export const countOf = (table: MigratedTable): string => `SELECT count(*) FROM ${table.name} ${where(table)}`

/** The key of the last row. */
export const lastKeyOf = (table: MigratedTable): string => {
  const key = keyOf(table)
  const order = key.map((column) => `${column} DESC`).join(', ')
  return `SELECT ${key.join(', ')} FROM ${table.name} ${where(table)} ORDER BY ${order} LIMIT 1`
}

/** As `MigrationEnd.rows`; the values are the key `after`, if there is one, and the limit. */
export const rowsOf = (table: MigratedTable, after: Cells | undefined, cell = (column: string) => column): string => {
  const key = keyOf(table).join(', ')
  const behind = after === undefined ? [] : [`(${key}) > (${after.map(() => '+?').join(', ')})`]
  const columns = columnsOf(table).map(cell).join(', ')
  return `SELECT ${columns} FROM ${table.name} ${where(table, ...behind)} ORDER BY ${key} LIMIT +?`
}
