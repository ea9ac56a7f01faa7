import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DirectedStretch, Page, Position } from '@rollcall/core'
import { first, type Methods } from './methods.ts'
import type { Cell } from './table.ts'

export type Dialect = 'postgres' | 'sqlite'

/** A filter, and how its words are looked for. */
export interface Search extends DirectedStretch {
  readonly words?: readonly string[] | undefined
  /** So many words, the first ones, are looked for in the index of terms, as few rows have them. */
  readonly byTerm?: number
  /** No further than to here. */
  readonly until?: Position
}

/** A condition with the values of its marks. */
export type Condition = readonly [text: string, ...values: Cell[]]

export interface Query {
  readonly text: string
  readonly values: readonly Cell[]
}

/** Terms that begin with a word are read up to so many. If more do, a page of the whole list is soon full. */
const FEW = 10_000
/** Behind everything that begins with a word: no term has it. */
const LAST = '\u{10ffff}'

const rangeOf = (word: string): [from: string, to: string] => [word, `${word}${LAST}`]

/** Of what comes from a condition, but not further than behind `FEW`. */
export const countUpToFew = <Parameters extends readonly unknown[]>(
  countOf: (...parameters: Parameters) => readonly [from: string, condition: Condition],
) =>
  first(
    (...parameters: Parameters) => {
      const [from, [text]] = countOf(...parameters)
      return `SELECT count(*) AS count FROM (SELECT 1 FROM ${from} WHERE ${text} LIMIT ${FEW + 1}) AS counted`
    },
    (...parameters: Parameters) => {
      const [, [, ...values]] = countOf(...parameters)
      return values
    },
    (row: { count: number } | undefined) => row?.count ?? 0,
  )

/** The rarest words first, and how many of them are rare. */
const rarestFirst = (words: readonly string[], counts: readonly number[]): Pick<Search, 'words' | 'byTerm'> => {
  const counted = words.map((word, n) => ({ word, count: counts[n] ?? 0 })).sort((a, b) => a.count - b.count)
  return { words: counted.map(({ word }) => word), byTerm: counted.filter(({ count }) => count <= FEW).length }
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

/**
 * The rows of a table that have terms which begin with the rare words, in the order of the list: their places are read in
 * the index alone, and each row is looked up by its place until the page is full. No table is walked.
 */
export const foundByTerm = (
  dialect: Dialect,
  table: string,
  { words = [], byTerm = 0, after, downwards }: Search,
): { readonly from: string; readonly values: readonly Cell[]; readonly conditions: readonly Condition[] } => {
  const rare = words.slice(0, byTerm)
  const beyond = downwards ? '<' : '>'
  const each = `SELECT place FROM ${table}_term WHERE term >= ? AND term < ? AND place ${beyond} +?`
  const places = `${rare.map(() => each).join(' INTERSECT ')}`
  const values = rare.flatMap((word) => [...rangeOf(word), after])
  if (dialect === 'sqlite') return { from: table, values: [], conditions: [[`seq IN (${places})`, ...values]] }
  const order = `ORDER BY place ${downwards ? 'DESC' : 'ASC'}`
  return {
    from: `(SELECT DISTINCT place FROM (${places}) AS places ${order}) AS found
      CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE seq = place LIMIT 1) AS ${table}`,
    values,
    conditions: [],
  }
}

export const where = (conditions: readonly Condition[]): Query => ({
  text: `WHERE ${conditions.map(([text]) => text).join(' AND ')}`,
  values: conditions.flatMap(([, ...values]) => values),
})

/** The columns that a list is ordered by, in its direction. */
export const ordered = ({ downwards }: Search, ...columns: readonly string[]): string =>
  `ORDER BY ${columns.map((column) => (downwards ? `${column} DESC` : column)).join(', ')}`

type List<Filter, Item> = (filter: Filter & Search) => Promise<Page<Item>>

/** What is known of a table before it is searched. */
export interface Searched<Filter> {
  /** How many terms begin with the word. */
  readonly terms: (word: string) => Promise<number>
  /** How many rows a list has for what it is filtered by beside words. */
  readonly rows: (filter: Filter) => Promise<number>
  /** The last place. */
  readonly last: () => Promise<number>
}

export const searchedIn = <Filter>(
  table: string,
  rows: Methods<Searched<Filter>>['rows'],
): Methods<Searched<Filter>> => ({
  terms: countUpToFew((word) => [`${table}_term`, ['term >= ? AND term < ?', ...rangeOf(word)]] as const),
  rows,
  last: first(
    `SELECT coalesce(max(seq), 0) AS last FROM ${table}`,
    () => [],
    (row: { last: number } | undefined) => row?.last ?? 0,
  ),
})

/** A list that looks first where there is least to go through: in the terms of its words, or in itself. */
export const searching =
  <Filter extends Search, Item>(list: List<Filter, Item>, searched: Searched<Filter>) =>
  async (filter: Filter): Promise<Page<Item>> => {
    const { words } = filter
    if (words === undefined) return await list(filter)
    const [rows, ...terms] = await Promise.all([searched.rows(filter), ...words.map((word) => searched.terms(word))])
    const search = { ...filter, ...rarestFirst(words, terms) }
    if (search.byTerm !== 0 && rows > Math.min(...terms)) return await list(search)
    const walked = { ...search, byTerm: 0 }
    return rows <= FEW ? await list(walked) : await walk(list, walked, await searched.last())
  }

/** Places: some milliseconds' look. */
const STRETCH = 4_000
/** In milliseconds: after so long, a page is given as it is, and says where to go on. */
const PATIENCE = 30

/** Goes through a long list stretch by stretch: others are served between two of them. */
const walk = async <Filter extends Search, Item>(
  list: List<Filter, Item>,
  filter: Filter & Search,
  last: number,
): Promise<Page<Item>> => {
  const { after, limit, downwards } = filter
  const step = downwards ? -STRETCH : STRETCH
  const start = Math.min(after, last + 1)
  const enough = performance.now() + PATIENCE
  let found: readonly Item[] = []
  let end: number | undefined
  for (let from = start; downwards ? from > 1 : from < last; from += step) {
    if (from !== start) await nextTurn()
    if (from !== start && performance.now() > enough) return { items: found, next: end ?? from }
    const isFull = found.length === limit
    const most = isFull ? 1 : limit - found.length
    const { items, next } = await list({ ...filter, after: from, until: from + step, limit: most })
    // Behind the end of a full page, all that is asked is whether the list goes on.
    if (isFull && items.length > 0) return { items: found, next: end }
    found = [...found, ...items]
    if (next !== undefined) return { items: found, next }
    if (found.length === limit) end ??= from + step
  }
  return { items: found, next: undefined }
}
