import type { SignUpCountStore } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'

export const sqliteSignUpCountStore = (writer: Writer): Synchronous<SignUpCountStore> => {
  const add = writer.connection.prepare(
    'INSERT INTO sign_up_count (outcome, count) VALUES (?, 1) ON CONFLICT (outcome) DO UPDATE SET count = count + 1',
  )
  return {
    add: (outcome) => {
      writer.write(add, outcome)
    },
  }
}
