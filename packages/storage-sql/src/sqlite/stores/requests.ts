import type { RequestStore } from '@rollcall/core'
import { REQUEST_STORE, type RequestRow, TAKE, toRequest } from '../../tables/requests.ts'
import type { Synchronous } from '../asynchronous.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

/** A unit has the turn from its beginning: no other writes meanwhile. */
export const sqliteRequestStore = (writer: Writer): Synchronous<RequestStore> => {
  const { connection } = writer
  const described = sqliteStore(REQUEST_STORE, writer)
  const take = connection.prepare<[number], RequestRow>(TAKE)
  const remove = connection.prepare('DELETE FROM sign_up_request WHERE id = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  // What is dropped and not carried out is stored nowhere else.
  const dropping = (removed: number): number => {
    if (removed > 0) writer.write(noteErasure)
    return removed
  }
  return {
    ...described,
    take: (limit) => take.all(limit).map(toRequest),
    remove: (ids) => {
      for (const id of ids) writer.write(remove, id)
    },
    removeOf: (address) => dropping(described.removeOf(address)),
    prune: (before, limit) => dropping(described.prune(before, limit)),
  }
}
