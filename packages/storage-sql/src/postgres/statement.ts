import { hash } from 'node:crypto'
import { type Cell, rowFrom, type Table } from '../tables/table.ts'

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[]

/** A statement that every connection prepares once, under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly objects?: true | undefined
  /** Milliseconds after which no answer is waited for, if that is to be sooner than usual. */
  readonly timeout?: number | undefined
}

/** A statement whose rows are given as lists, in the order of their columns: for a few values that are not a table row. */
export interface ListStatement extends Statement {
  readonly objects?: never
}

declare const ROW: unique symbol

/** A statement whose rows are given as objects, by the names of their columns. */
export interface RowStatement<Found extends object> extends Statement {
  readonly objects: true
  readonly [ROW]?: Found
}

/** Of the text alone: all that share a server's session by way of a pooler mean the same by the same name. */
const nameOf = (text: string): string => `rollcall_${hash('sha256', text).slice(0, 40)}`

export const statement = (text: string, { timeout }: { readonly timeout?: number } = {}): ListStatement => ({
  name: nameOf(text),
  text,
  timeout,
})

export const rowStatement = <Found extends object>(text: string): RowStatement<Found> => {
  const { name, timeout } = statement(text)
  return { name, text, timeout, objects: true }
}

/** `$1, $2, ...` up to `$count`, from `$first` on. */
export const placeholders = (count: number, first = 1): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')

const ARRAY_TYPES = { text: 'text[]', whole: 'bigint[]', flag: 'boolean[]', json: 'text[]' } as const

/** Parameters for `unnest`, one for each of these columns of the table, from `$first` on. */
export const arraysOf = ({ columns }: Table, names: readonly string[], first = 1): string =>
  names.map((name, index) => `$${first + index}::${ARRAY_TYPES[columns[name] ?? 'text']}`).join(', ')

/** What `unnest` takes for these rows: a list for each column. */
export const columnArrays = (names: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): Value[] =>
  names.map((name) => rows.map((row) => row[name] ?? null))

/** The same for rows of so many values each, in the order of the columns. */
export const valueArrays = (width: number, rows: readonly (readonly Cell[])[]): Value[] =>
  Array.from({ length: width }, (_, place) => rows.map((values) => values[place] ?? null))

export type Row = readonly unknown[]

/** Runs a statement, and gives its rows. */
export interface Ask {
  <Found extends object>(statement: RowStatement<Found>, ...values: Value[]): Promise<Found[]>
  <Found extends Row>(statement: ListStatement, ...values: Value[]): Promise<Found[]>
}

/** Rows as lists, with their columns. */
export interface Rows {
  readonly rows: Row[]
  readonly fields: readonly { readonly name: string }[]
}

/** The rows of an answer as the statement gives them. */
export const rowsIn = ({ objects }: Statement, { rows, fields }: Rows): unknown[] => {
  if (!objects) return rows
  const columns = fields.map(({ name }) => name)
  return rows.map((cells) => rowFrom(columns, cells))
}

/**
 * The texts as PostgreSQL takes them: it has no NUL. Nothing that has one is ever stored by the core; what is merely
 * looked for must find nothing and not fail.
 */
export const storable = (values: readonly Value[]): Value[] => values.map(withoutNul)

const withoutNul = (value: Value): Value => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return typeof value === 'object' && value !== null ? (value.map(withoutNul) as Value) : value
}

/**
 * Makes the commit of the transaction in which it is evaluated wait for the disk, if `synchronous_commit` is `off`.
 * The other values all wait for the disk and differ in what they ask of standbys, which is the operator's choice.
 *
 * Setting it for the session is not enough: behind a pooler the next transaction may run in another session.
 */
export const DURABLE =
  "CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END"

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE)\b/i
const RETURNS = /\bRETURNING\b/i

/**
 * A statement that is a transaction by itself, so that its commit is on disk before it is answered. It gives the same
 * rows; one that does not write stays as it is.
 */
export const durably = (text: string): string => {
  if (!WRITES.test(text)) return text
  const written = `WITH written AS (${text.replace(/;\s*$/, '')})`
  return RETURNS.test(text) ? `${written} SELECT written.*, ${DURABLE} FROM written` : `${written} SELECT ${DURABLE}`
}
