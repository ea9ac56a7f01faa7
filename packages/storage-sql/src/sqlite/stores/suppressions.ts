import type { AddressHash, SuppressionCause, SuppressionReader, SuppressionStore } from '@rollcall/core'
import { pageOf } from '../../rows/page-of.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

type SuppressionRow = [seq: number, address: string, cause: SuppressionCause, since: number]

export const sqliteSuppressionReader = (connection: Connection): Synchronous<SuppressionReader> => {
  const byAddress = connection
    .prepare<[string], [cause: SuppressionCause, since: number]>(
      'SELECT cause, since FROM suppression WHERE address = ?',
    )
    .raw()
  const list = connection
    .prepare<[number, number], SuppressionRow>(
      'SELECT seq, address, cause, since FROM suppression WHERE seq > ? ORDER BY seq LIMIT +?',
    )
    .raw()
  return {
    find: (address) => {
      const row = byAddress.get(address)
      return row && { cause: row[0], since: row[1] }
    },
    list: ({ after, limit }) =>
      pageOf(list.all(after, limit + 1), limit, ([, address, cause, since]) => ({
        address: address as AddressHash,
        cause,
        since,
      })),
  }
}

export const sqliteSuppressionStore = (writer: Writer): Synchronous<SuppressionStore> => {
  const insert = writer.connection.prepare(
    `INSERT INTO suppression (address, cause, since) VALUES (?, ?, ?)
      ON CONFLICT (address) DO UPDATE SET cause = excluded.cause, since = excluded.since
        WHERE excluded.cause = 'never-again' AND suppression.cause <> 'never-again'`,
  )
  const remove = writer.connection.prepare('DELETE FROM suppression WHERE address = ?')
  return {
    ...sqliteSuppressionReader(writer.connection),
    add: (address, { cause, since }) => {
      writer.write(insert, address, cause, since)
    },
    remove: (address) => writer.write(remove, address).changes > 0,
  }
}
