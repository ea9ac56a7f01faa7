import type { Page, Stretch } from '@rollcall/core'
import { type Cell as One, pageOf } from './table.ts'

/** A value, or a list for `IN @texts` or `IN @wholes`. */
export type Cell = One | readonly (string | number)[]

/** One text, or one of several constants. */
type Text<Parameters extends readonly unknown[]> = string | ((...parameters: Parameters) => string)
type Values<Parameters extends readonly unknown[]> = (...parameters: Parameters) => readonly Cell[]

/**
 * A method of a store that is one statement, alike in both databases. Its text has `?` for each value in turn, or `+?` as
 * SQLite's `Connection` says, `IN @texts` or `IN @wholes` for a list, and `@now` for the time; PostgreSQL has numbers for
 * them, and its own clock.
 */
export interface Method<Parameters extends readonly unknown[], Result> {
  /** What it gives: the first row, all rows, how many rows it changed, or nothing that is waited for. */
  readonly gives: 'first' | 'all' | 'changes' | 'nothing'
  readonly text: Text<Parameters>
  readonly values: Values<Parameters>
  readonly answer: (given: never, parameters: Parameters) => Result
  /** What it removes may be a person's, and is stored nowhere else: SQLite counts it among the erasures. */
  readonly erases?: true
  /** What is done after it. */
  readonly next?: Method<Parameters, Result>
}

/** Methods of a port by their names. */
export type Methods<Port> = {
  readonly [Name in keyof Port]: NonNullable<Port[Name]> extends (
    ...parameters: infer Parameters
  ) => Promise<infer Result>
    ? Method<Parameters, Result>
    : never
}

export type AnyMethod = Method<readonly unknown[], unknown>

export const entriesOf = <Port>(methods: Methods<Port>): [name: string, method: AnyMethod][] =>
  Object.entries(methods as unknown as Readonly<Record<string, AnyMethod>>)

/** What becomes of the first row, which may be absent. */
export const first = <Parameters extends readonly unknown[], Row extends object, Result>(
  text: Text<Parameters>,
  values: Values<Parameters>,
  answer: (row: Row | undefined) => Result,
): Method<Parameters, Result> => ({ gives: 'first', text, values, answer })

/** The one that is found. */
export const find = <Parameters extends readonly unknown[], Row extends object, Found>(
  text: Text<Parameters>,
  values: Values<Parameters>,
  toFound: (row: Row) => Found,
): Method<Parameters, Found | undefined> => first(text, values, (row: Row | undefined) => row && toFound(row))

export const all = <Parameters extends readonly unknown[], Row extends object, Item>(
  text: Text<Parameters>,
  values: Values<Parameters>,
  toItem: (row: Row) => Item,
): Method<Parameters, Item[]> => ({
  gives: 'all',
  text,
  values,
  answer: (rows: readonly Row[]) => rows.map((row) => toItem(row)),
})

/** A page of a list in the order of a column; the text asks for one row more than the page has. */
export const page = <Filter extends Stretch, Column extends string, Row extends Readonly<Record<Column, number>>, Item>(
  text: Text<[Filter]>,
  by: Column,
  toItem: (row: Row) => Item,
  values: (filter: Filter, most: number) => readonly Cell[] = ({ after }, most) => [after, most],
): Method<[Filter], Page<Item>> => ({
  gives: 'all',
  text,
  values: (filter) => values(filter, filter.limit + 1),
  answer: (rows: readonly Row[], [{ limit }]) => pageOf(rows, { limit, by: (row) => row[by] }, toItem),
})

/** How many rows are changed. */
export const change = <Parameters extends readonly unknown[]>(
  text: Text<Parameters>,
  values: Values<Parameters>,
): Method<Parameters, number> => ({
  gives: 'changes',
  text,
  values,
  answer: (changes: number) => changes,
})

/**
 * Deletes the rows whose time is before the first value, the earliest first, as many as the second. Of a row that another
 * transaction has just changed, PostgreSQL looks at the outer condition again, and not at the inner one.
 */
export const pruneBefore = (name: string, key: string, time: string) =>
  change(
    `DELETE FROM ${name} WHERE ${time} < ?
      AND (${key}) IN (SELECT ${key} FROM ${name} WHERE ${time} < ? ORDER BY ${time} LIMIT +?)`,
    (before: number, limit: number) => [before, before, limit],
  )

/** Whether there was the row that is changed. */
export const changeOne = <Parameters extends readonly unknown[]>(
  text: Text<Parameters>,
  values: Values<Parameters>,
): Method<Parameters, boolean> => ({
  gives: 'changes',
  text,
  values,
  answer: (changes: number) => changes === 1,
})

/** A method that erases what it removes. */
export const erasing = <Parameters extends readonly unknown[], Result>(
  method: Method<Parameters, Result>,
): Method<Parameters, Result> => ({ ...method, erases: true })

/** Where no answer is waited for: if it fails, so does the unit. */
export const write = <Parameters extends readonly unknown[]>(
  text: Text<Parameters>,
  values: Values<Parameters>,
  next?: Method<Parameters, void>,
): Method<Parameters, void> => ({
  gives: 'nothing',
  text,
  values,
  answer: () => undefined,
  ...(next && { next }),
})

/** The same of several, one after another, that take the same values. */
export const writes = <Parameters extends readonly unknown[]>(
  texts: readonly string[],
  values: Values<Parameters>,
): Method<Parameters, void> => {
  const [text = '', ...rest] = texts
  return write(text, values, rest.length === 0 ? undefined : writes(rest, values))
}
