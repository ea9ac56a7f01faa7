import type { NumberChange, NumberStore } from '@rollcall/core'
import { addToNumbers, DELTA_COLUMNS, deltaValues, NUMBER_STORE } from '../../tables/numbers.ts'
import { type Cell, insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

/** As few rows as say the same: what shares a unit is mostly alike. */
const summed = (changes: readonly NumberChange[]): Iterable<NumberChange> => {
  if (changes.length < 2) return changes
  const sums = new Map<string, NumberChange>()
  for (const change of changes) {
    const key = `${change.feed ?? ''} ${change.day} ${change.what}`
    sums.set(key, { ...change, count: change.count + (sums.get(key)?.count ?? 0) })
  }
  return sums.values()
}

interface Oldest {
  readonly last: number | null
  readonly count: number
}

export const sqliteNumberStore = (writer: Writer): Synchronous<NumberStore> => {
  const { connection } = writer
  const insert = connection.prepare<Cell[]>(insertInto('number_delta', DELTA_COLUMNS))
  const oldest = connection.prepare<[number], Oldest>(
    'SELECT max(id) AS last, count(*) AS count FROM (SELECT id FROM number_delta ORDER BY id LIMIT +?)',
  )
  const fold = connection.prepare(addToNumbers('WITH taken AS (SELECT * FROM number_delta WHERE id <= ?)'))
  const remove = connection.prepare('DELETE FROM number_delta WHERE id <= ?')
  return {
    ...sqliteStore(NUMBER_STORE, writer),
    add: (changes) => {
      for (const change of summed(changes)) writer.write(insert, ...deltaValues(change))
    },
    fold: (limit) => {
      const { last = null, count = 0 } = oldest.get(limit) ?? {}
      if (last === null) return 0
      writer.write(fold, last)
      writer.write(remove, last)
      return count
    },
  }
}
