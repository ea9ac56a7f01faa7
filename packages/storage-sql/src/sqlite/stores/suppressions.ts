import type { SuppressionCause, SuppressionStore } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'

export const sqliteSuppressionStore = (writer: Writer): Synchronous<SuppressionStore> => {
  const { connection } = writer
  const byAddress = connection
    .prepare<[string], [cause: SuppressionCause, since: number]>(
      'SELECT cause, since FROM suppression WHERE address = ?',
    )
    .raw()
  const insert = connection.prepare(
    'INSERT INTO suppression (address, cause, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    find: (address) => {
      const row = byAddress.get(address)
      return row && { cause: row[0], since: row[1] }
    },
    add: (address, { cause, since }) => {
      writer.write(insert, address, cause, since)
    },
  }
}
