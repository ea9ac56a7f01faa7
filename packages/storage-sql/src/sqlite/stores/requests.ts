import type { RequestStore } from '@rollcall/core'
import { REQUEST_STORE, type RequestRow, TAKE, toRequest } from '../../tables/requests.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

/** A unit has the turn from its beginning: no other writes meanwhile. */
export const sqliteRequestStore = (writer: Writer): Synchronous<RequestStore> => {
  const { connection } = writer
  const take = connection.prepare<[number], RequestRow>(TAKE)
  const remove = connection.prepare('DELETE FROM sign_up_request WHERE id = ?')
  return {
    ...sqliteStore(REQUEST_STORE, writer),
    take: (limit) => take.all(limit).map(toRequest),
    remove: (ids) => {
      for (const id of ids) writer.write(remove, id)
    },
  }
}
