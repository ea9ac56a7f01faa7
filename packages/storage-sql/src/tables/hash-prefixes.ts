import { type HashPrefixes, PREFIX_DIGITS } from '@rollcall/core'
import { first, type Method } from './methods.ts'
import type { Cell } from './table.ts'

/** How many hashes are read at a time: a few milliseconds of SQLite's thread. */
export const PREFIXES = 5_000

interface Row<Place> {
  readonly prefixes: string | null
  readonly count: number
  readonly last: Place
}

/** The beginnings of the hashes that a query finds, in one row; `place` is the column that it goes on behind. */
export const prefixes = <Place extends Cell>(place: string, query: string): Method<[Place], HashPrefixes<Place>> =>
  first(
    `SELECT string_agg(substr(address, 1, ${PREFIX_DIGITS}), '') AS prefixes, count(*) AS count, max(${place}) AS last
      FROM (${query}) AS found`,
    (after: Place) => [after],
    (row: Row<Place> | undefined) => ({
      prefixes: row?.prefixes ?? '',
      next: row?.count === PREFIXES ? row.last : undefined,
    }),
  )
