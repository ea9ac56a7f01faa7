import {
  type Counted,
  type DailyNumber,
  type EverNumber,
  type FeedName,
  JOINED,
  LEFT,
  type NumberChange,
  type NumberReader,
  type NumberStore,
} from '@rollcall/core'
import { all, first, type Methods, writes } from './methods.ts'
import { statusOf } from './subscriptions.ts'
import { type Cell, columnsOf, countedTable, table, text, whole } from './table.ts'

/** Of no feed: an empty name. Of all feeds and of none, by day and ever: this one, which no feed has. */
const ALL = '*'

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

const DAILY = `SELECT day, what, count FROM kept_number
  WHERE feed = ? AND day BETWEEN ? AND ? AND count <> 0 ORDER BY day, what`

const texts = (whats: readonly Counted[]) => whats.map((what) => `'${what}'`).join(', ')
const NET = `SELECT feed, max(day) AS day,
    CAST(sum(CASE WHEN what IN (${texts(JOINED)}) THEN count ELSE -count END) AS bigint) AS net
  FROM kept_number WHERE feed IN @texts AND day BETWEEN ? AND ? AND what IN (${texts([...JOINED, ...LEFT])})
  GROUP BY feed, (CAST(? AS bigint) - day) / 7, (CAST(? AS bigint) - day) / 30 ORDER BY feed, day`
const CURRENT = `SELECT feed, what, count FROM kept_number WHERE day = ${NOW}`

interface CurrentRow {
  readonly feed: FeedName
  readonly what: string
  readonly count: number
}

export const NUMBER_READER: Methods<NumberReader> = {
  daily: all(
    DAILY,
    ({ feed, from, to }) => [feed ?? ALL, from, to],
    (row: DailyNumber) => ({ day: row.day, what: row.what as Counted, count: row.count }),
  ),
  net: all(
    NET,
    ({ feeds, from, to }) => [feeds ?? [ALL], from, to, to, to],
    ({ feed, ...row }: { feed: string; day: number; net: number }) => ({
      feed: feed === ALL ? undefined : (feed as FeedName),
      ...row,
    }),
  ),
  current: all(
    (feeds) => `${CURRENT}${feeds === undefined ? '' : ' AND feed IN @texts'} ORDER BY feed, what`,
    (feeds) => (feeds === undefined ? [] : [feeds]),
    ({ feed, what, count }: CurrentRow) => ({ feed, status: statusOf(what), count }),
  ),
  ever: all(
    `SELECT what, count FROM kept_number WHERE feed = '${ALL}' AND day = ${EVER} ORDER BY what`,
    () => [],
    (row: EverNumber) => ({ what: row.what, count: row.count }),
  ),
  hasUnfolded: first(
    'SELECT id FROM number_delta LIMIT 1',
    () => [],
    (row: { readonly id: number } | undefined) => row !== undefined,
  ),
}

const ADDED = 'ON CONFLICT (feed, day, what) DO UPDATE SET count = kept_number.count + excluded.count'

/** Adds the changes in `taken` to the numbers; a text before `SELECT` may say what those are. */
export const addToNumbers = (before = ''): string => `INSERT INTO kept_number (feed, day, what, count)
  ${before} SELECT feed, day, what, sum(count) FROM
    (SELECT feed, day, what, count FROM taken
      UNION ALL SELECT '${ALL}', day, what, count FROM taken WHERE day >= 0
      UNION ALL SELECT '${ALL}', ${EVER}, what, count FROM taken WHERE day >= 0) AS changes
    WHERE TRUE GROUP BY feed, day, what ${ADDED}`

const FORGET = [
  `INSERT INTO kept_number (feed, day, what, count)
    SELECT '${ALL}', ${EVER}, what, sum(count) FROM number_delta WHERE feed = ? AND day >= 0 GROUP BY what ${ADDED}`,
  `INSERT INTO kept_number (feed, day, what, count)
    SELECT '${ALL}', day, what, -count FROM kept_number WHERE feed = ? AND day >= 0 ${ADDED}`,
  'DELETE FROM number_delta WHERE feed = ?',
  'DELETE FROM kept_number WHERE feed = ?',
]

export const NUMBER_STORE: Methods<NumberReader & Pick<NumberStore, 'forget'>> = {
  ...NUMBER_READER,
  // In the days of all feeds, too; what of it is not folded yet is added to what there ever was before.
  forget: writes(FORGET, (feed) => [feed]),
}
