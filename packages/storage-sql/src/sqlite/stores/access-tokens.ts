import type { AccessTokenStore } from '@rollcall/core'
import { ACCESS_TOKEN_STORE } from '../../tables/access-tokens.ts'
import type { Synchronous } from '../asynchronous.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

export const sqliteAccessTokenStore = (writer: Writer): Synchronous<AccessTokenStore> => {
  const store = sqliteStore(ACCESS_TOKEN_STORE, writer)
  const noteErasure = writer.connection.prepare(NOTE_ERASURE)
  return {
    ...store,
    eraseOf: (subject) => {
      const erased = store.eraseOf(subject)
      if (erased > 0) writer.write(noteErasure)
      return erased
    },
  }
}
