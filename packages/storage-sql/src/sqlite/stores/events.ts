import { type EventStore, type NumberStore, numbersOf } from '@rollcall/core'
import { EVENT_READER, type EventRow, LAST_POSITION, NEW_EVENT, newEventValues } from '../../tables/events.ts'
import { insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteReader } from './run-methods.ts'

export const sqliteEventStore = (
  writer: Writer,
  numbers: Pick<Synchronous<NumberStore>, 'add'>,
): Synchronous<EventStore> => {
  const { connection } = writer
  const insert = connection.prepare(insertInto('event', NEW_EVENT))
  const unnumbered = connection
    .prepare<[number], number>('SELECT id FROM event WHERE position IS NULL ORDER BY id LIMIT +?')
    .pluck()
  const number = connection.prepare('UPDATE event SET position = ? WHERE id = ?')
  const oldest = connection.prepare<[number], { position: number; at: EventRow['at'] }>(
    'SELECT position, at FROM event WHERE position IS NOT NULL ORDER BY position LIMIT +?',
  )
  const last = connection.prepare<[], number>(`SELECT ${LAST_POSITION}`).pluck()
  const newest = connection.prepare<[], number>('SELECT coalesce(max(position), 0) FROM event').pluck()
  const remove = connection.prepare('DELETE FROM event WHERE position <= ?')
  return {
    ...sqliteReader(EVENT_READER, connection),
    append: (...events) => {
      for (const event of events) writer.write(insert, ...newEventValues(event))
      numbers.add(events.flatMap(numbersOf))
    },
    number: (limit) => {
      const ids = unnumbered.all(limit)
      let position = last.get() ?? 0
      for (const id of ids) writer.write(number, ++position, id)
      return ids.length
    },
    prune: (before, limit) => {
      const rows = oldest.all(limit)
      const kept = newest.get() ?? 0
      const end = rows.findIndex(({ position, at }) => at >= before || position === kept)
      const old = end < 0 ? rows : rows.slice(0, end)
      const until = old.at(-1)?.position
      return until === undefined ? 0 : writer.write(remove, until).changes
    },
  }
}
