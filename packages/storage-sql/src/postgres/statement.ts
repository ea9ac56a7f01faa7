import type pg from 'pg'

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[]

/** A statement that every connection prepares once, under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** Milliseconds after which no answer is waited for, where that is to be sooner than usual. */
  readonly patience?: number | undefined
}

let count = 0

export const statement = (text: string, { patience }: { readonly patience?: number } = {}): Statement => ({
  name: `rollcall_${++count}`,
  text,
  patience,
})

/** `$1, $2, ...` up to `$count`, from `$first` on. */
export const placeholders = (count: number, first = 1): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')

export type Row = readonly unknown[]

/** Runs a statement, and gives its rows in the order of its columns. */
export type Ask = <Found extends Row>(statement: Statement, ...values: Value[]) => Promise<Found[]>

/** As `Ask`, but gives each row as an object by the names of its columns. */
export type AskForObjects = <Found extends object>(statement: Statement, ...values: Value[]) => Promise<Found[]>

/** Rows that came as arrays, as objects. */
export const objectsIn = <Found extends object>({ rows, fields }: pg.QueryArrayResult): Found[] =>
  rows.map((row) => Object.fromEntries(fields.map(({ name }, column) => [name, row[column]])) as Found)

/**
 * The texts as PostgreSQL takes them: it has no NUL. Nothing that has one is ever stored by the core; what is merely
 * looked for must find nothing and not fail.
 */
export const storable = (values: readonly Value[]): Value[] => values.map(withoutNul)

const withoutNul = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
