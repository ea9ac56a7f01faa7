import type { SuppressionReader, SuppressionStore } from '@rollcall/core'
import { SUPPRESSION_COLUMNS, type SuppressionRow, toSuppressionRecord } from '../../tables/subscriptions.ts'
import { pageOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

export const sqliteSuppressionReader = (connection: Connection): Synchronous<SuppressionReader> => {
  const byAddress = connection.prepare<[string], Pick<SuppressionRow, 'cause' | 'since'>>(
    'SELECT cause, since FROM suppression WHERE address = ?',
  )
  const list = connection.prepare<[number, number], SuppressionRow>(
    `SELECT ${SUPPRESSION_COLUMNS} FROM suppression WHERE seq > ? ORDER BY seq LIMIT +?`,
  )
  const by = ({ seq }: SuppressionRow) => seq
  return {
    find: (address) => byAddress.get(address),
    list: ({ after, limit }) => pageOf(list.all(after, limit + 1), { limit, by }, toSuppressionRecord),
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
