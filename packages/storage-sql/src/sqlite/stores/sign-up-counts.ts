import type { SignUpCountReader, SignUpCountStore } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

export const sqliteSignUpCountReader = (connection: Connection): Synchronous<SignUpCountReader> => {
  const count = connection.prepare<[string], number>('SELECT count FROM sign_up_count WHERE outcome = ?').pluck()
  return { count: (outcome) => count.get(outcome) ?? 0 }
}

export const sqliteSignUpCountStore = (writer: Writer): Synchronous<SignUpCountStore> => {
  const add = writer.connection.prepare(
    `INSERT INTO sign_up_count (outcome, count) VALUES (?, ?)
      ON CONFLICT (outcome) DO UPDATE SET count = count + excluded.count`,
  )
  return {
    ...sqliteSignUpCountReader(writer.connection),
    add: (outcome, count = 1) => {
      writer.write(add, outcome, count)
    },
  }
}
