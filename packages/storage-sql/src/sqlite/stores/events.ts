import type { EventStore } from '@rollcall/core'
import { EVENT_READER, type EventRow } from '../../tables/events.ts'
import { insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteReader } from './run-methods.ts'

export const sqliteEventStore = (writer: Writer): Synchronous<EventStore> => {
  const { connection } = writer
  const insert = connection.prepare(insertInto('event', ['type', 'subject', 'at', 'feed', 'trace_context']))
  const oldest = connection.prepare<[number], Pick<EventRow, 'position' | 'at'>>(
    'SELECT position, at FROM event ORDER BY position LIMIT +?',
  )
  const newest = connection.prepare<[], number>('SELECT coalesce(max(position), 0) FROM event').pluck()
  const remove = connection.prepare('DELETE FROM event WHERE position <= ?')
  return {
    ...sqliteReader(EVENT_READER, connection),
    append: ({ type, subject, at, feed, traceContext }) => {
      writer.write(insert, type, subject, at, feed ?? null, traceContext ?? null)
    },
    prune: (before, limit) => {
      const rows = oldest.all(limit)
      const last = newest.get() ?? 0
      const end = rows.findIndex(({ position, at }) => at >= before || position === last)
      const old = end < 0 ? rows : rows.slice(0, end)
      const until = old.at(-1)?.position
      return until === undefined ? 0 : writer.write(remove, until).changes
    },
  }
}
