import type { SqliteDatabase } from 'kysely'
import type { Connection, Value } from './connection.ts'

/** The connection as Kysely wants one. */
export const forKysely = (connection: Connection): SqliteDatabase => ({
  prepare: (text) => {
    const statement = connection.prepare(text)
    const reader = /^\s*(select|pragma)/i.test(text)
    return {
      reader,
      all: (values) => statement.all(...(values as Value[])),
      run: (values) => statement.run(...(values as Value[])),
      iterate: () => [][Symbol.iterator](),
    }
  },
  close: () => connection.close(),
})
