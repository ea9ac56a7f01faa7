import type { Counted, DailyNumber, EverNumber, FeedName, NumberChange, NumberReader } from '@rollcall/core'
import { all, first, type Methods } from './methods.ts'
import { statusOf } from './subscriptions.ts'
import { type Cell, columnsOf, countedTable, table, text, whole } from './table.ts'

/** Of no feed: an empty name. */
export const NUMBER_DELTA = countedTable('number_delta', {
  id: whole(),
  feed: text(),
  day: whole(),
  what: text(),
  count: whole(),
})

export const KEPT_NUMBER = table('kept_number', 3, {
  feed: text(),
  day: whole(),
  what: text(),
  count: whole(),
})

export const DELTA_COLUMNS = columnsOf(NUMBER_DELTA, 'id')

export const deltaValues = ({ feed, day, what, count }: NumberChange): Cell[] => [feed ?? '', day, what, count]

/** Days that there never were: how many subscriptions there are of a status, and how many there ever were of all feeds. */
const NOW = -1
const EVER = -2

const DAILY = 'SELECT day, what, CAST(sum(count) AS bigint) AS count FROM kept_number WHERE day BETWEEN ? AND ?'
const CURRENT = `SELECT feed, what, count FROM kept_number WHERE day = ${NOW}`

interface CurrentRow {
  readonly feed: FeedName
  readonly what: string
  readonly count: number
}

export const NUMBER_READER: Methods<NumberReader> = {
  daily: all(
    ({ feed }) => `${DAILY}${feed === undefined ? '' : ' AND feed = ?'} GROUP BY day, what ORDER BY day, what`,
    ({ feed, from, to }) => (feed === undefined ? [from, to] : [from, to, feed]),
    (row: DailyNumber) => ({ day: row.day, what: row.what as Counted, count: row.count }),
  ),
  current: all(
    (feeds) => `${CURRENT}${feeds === undefined ? '' : ' AND feed IN @texts'} ORDER BY feed, what`,
    (feeds) => (feeds === undefined ? [] : [feeds]),
    ({ feed, what, count }: CurrentRow) => ({ feed, status: statusOf(what), count }),
  ),
  ever: all(
    `SELECT what, count FROM kept_number WHERE feed = '' AND day = ${EVER} ORDER BY what`,
    () => [],
    (row: EverNumber) => ({ what: row.what, count: row.count }),
  ),
  hasUnfolded: first(
    'SELECT id FROM number_delta LIMIT 1',
    () => [],
    (row: { readonly id: number } | undefined) => row !== undefined,
  ),
}

/** Adds the changes in `taken` to the numbers; a text before `SELECT` may say what those are. */
export const addToNumbers = (before = ''): string => `INSERT INTO kept_number (feed, day, what, count)
  ${before} SELECT feed, day, what, sum(count) FROM
    (SELECT feed, day, what, count FROM taken
      UNION ALL SELECT '', ${EVER}, what, count FROM taken WHERE day >= 0) AS changes
    WHERE TRUE GROUP BY feed, day, what
  ON CONFLICT (feed, day, what) DO UPDATE SET count = kept_number.count + excluded.count`

/** Forgets a feed: what of it is not folded yet is added to what there ever was before it goes, too. */
export const FORGET_NUMBERS = [
  `INSERT INTO kept_number (feed, day, what, count)
    SELECT '', ${EVER}, what, sum(count) FROM number_delta WHERE feed = ? AND day >= 0 GROUP BY what
    ON CONFLICT (feed, day, what) DO UPDATE SET count = kept_number.count + excluded.count`,
  'DELETE FROM number_delta WHERE feed = ?',
  'DELETE FROM kept_number WHERE feed = ?',
] as const
