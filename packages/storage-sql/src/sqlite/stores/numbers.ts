import type { NumberStore } from '@rollcall/core'
import { addToNumbers, DELTA_COLUMNS, deltaValues, FORGET_NUMBERS, NUMBER_READER } from '../../tables/numbers.ts'
import { type Cell, insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteReader } from './run-methods.ts'

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
  const forget = FORGET_NUMBERS.map((text) => connection.prepare(text))
  return {
    ...sqliteReader(NUMBER_READER, connection),
    add: (changes) => {
      for (const change of changes) writer.write(insert, ...deltaValues(change))
    },
    fold: (limit) => {
      const { last = null, count = 0 } = oldest.get(limit) ?? {}
      if (last === null) return 0
      writer.write(fold, last)
      writer.write(remove, last)
      return count
    },
    forget: (feed) => {
      for (const statement of forget) writer.write(statement, feed)
    },
  }
}
