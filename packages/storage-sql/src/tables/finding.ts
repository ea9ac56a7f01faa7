import type { DirectedStretch, Page, Position } from '@rollcall/core'
import { first } from './methods.ts'
import type { Cell } from './table.ts'

export type Dialect = 'postgres' | 'sqlite'

/** A filter, and how its words are looked for. */
export interface Search extends DirectedStretch {
  readonly words?: readonly string[] | undefined
  /** Set where few rows have the first word: they are found by the index of terms. */
  readonly byTerm?: boolean
  /** No further than to here. */
  readonly until?: Position
}

/** A condition with the values of its marks. */
export type Condition = readonly [text: string, ...values: Cell[]]

export interface Query {
  readonly text: string
  readonly values: readonly Cell[]
}

/** Rows with a word are looked at one by one up to so many. Where more have it, a page of the whole list is soon full. */
const FEW = 10_000
/** Behind everything that begins with a word: no term has it. */
const LAST = '\u{10ffff}'

const rangeOf = (word: string): [from: string, to: string] => [word, `${word}${LAST}`]

/** How many terms of a table begin with a word, but not much further than to `FEW`. */
export const countOfTerms = (table: string) =>
  first(
    `SELECT count(*) AS count FROM
      (SELECT 1 FROM ${table}_term WHERE term >= ? AND term < ? LIMIT ${FEW + 1}) AS counted`,
    rangeOf,
    (row: { count: number } | undefined) => row?.count ?? 0,
  )

/** Where the search begins: with the word that the fewest terms begin with. */
export const rarestFirst = (words: readonly string[], counts: readonly number[]): Pick<Search, 'words' | 'byTerm'> => {
  const counted = words.map((word, n) => ({ word, count: counts[n] ?? 0 })).sort((a, b) => a.count - b.count)
  return { words: counted.map(({ word }) => word), byTerm: (counted[0]?.count ?? Number.POSITIVE_INFINITY) <= FEW }
}

/** Where in the list, and of which words: terms are JSON, so that a quote begins each. */
export const sought = (
  dialect: Dialect,
  { after, until, downwards, words = [] }: Search,
  place = 'seq',
): Condition[] => [
  [`${place} ${downwards ? '<' : '>'} +?`, after],
  ...(until === undefined ? [] : ([[`${place} ${downwards ? '>=' : '<='} +?`, until]] satisfies Condition[])),
  ...words.map((word): Condition => [`${dialect === 'sqlite' ? 'instr' : 'strpos'}(terms, ?) > 0`, `"${word}`]),
]

/** The rows of a table that have a term which begins with the word, each looked up by its place, and no table walked. */
export const rowsWithTerm = (dialect: Dialect, table: string, word = ''): Query => ({
  text: `(SELECT DISTINCT place FROM ${table}_term WHERE term >= ? AND term < ?) AS found CROSS JOIN
    ${dialect === 'sqlite' ? table : `LATERAL (SELECT * FROM ${table} WHERE seq = place LIMIT 1) AS ${table}`}`,
  values: rangeOf(word),
})

export const where = (conditions: readonly Condition[]): Query => ({
  text: `WHERE ${conditions.map(([text]) => text).join(' AND ')}`,
  values: conditions.flatMap(([, ...values]) => values),
})

/** The columns that a list is ordered by, in its direction. */
export const ordered = ({ downwards }: Search, ...columns: readonly string[]): string =>
  `ORDER BY ${columns.map((column) => (downwards ? `${column} DESC` : column)).join(', ')}`

type List<Filter, Item> = (filter: Filter & Search) => Promise<Page<Item>>

/** A list that looks first how rare its words are. */
export const searching =
  <Filter extends Search, Item>(
    list: List<Filter, Item>,
    count: (word: string) => Promise<number>,
    walk: List<Filter, Item> = list,
  ) =>
  async (filter: Filter): Promise<Page<Item>> => {
    const { words } = filter
    if (words === undefined) return await list(filter)
    const search = { ...filter, ...rarestFirst(words, await Promise.all(words.map(count))) }
    return await (search.byTerm ? list : walk)(search)
  }
