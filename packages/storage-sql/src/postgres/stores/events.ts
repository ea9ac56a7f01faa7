import type { DomainEvent, EventStore } from '@rollcall/core'
import { EVENT_READER, type EventRow } from '../../tables/events.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { postgresReader } from './run-methods.ts'

const APPEND = statement(
  `INSERT INTO event (position, type, subject, at, feed, trace_context)
    SELECT (SELECT coalesce(max(position), 0) FROM event) + n, type, subject, at, feed, trace_context
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) WITH ORDINALITY
        AS new (type, subject, at, feed, trace_context, n)`,
)
const OLDEST = rowStatement<Pick<EventRow, 'position' | 'at'> & { newest: number }>(
  'SELECT position, at, (SELECT max(position) FROM event) AS newest FROM event ORDER BY position LIMIT $1',
)
const REMOVE = statement('DELETE FROM event WHERE position <= $1')

export const postgresEventReader = postgresReader(EVENT_READER)

/**
 * Writes the events that were appended. From here to the end of the transaction no other transaction gets a position,
 * so that events become visible in their order and without gaps. That is why this comes last.
 */
export const writeEvents = (unit: Transaction, events: readonly DomainEvent[]): void => {
  if (events.length === 0) return
  unit.lock(keyOf.events)
  unit.write(
    APPEND,
    events.map(({ type }) => type),
    events.map(({ subject }) => subject),
    events.map(({ at }) => at),
    events.map(({ feed }) => feed ?? null),
    events.map(({ traceContext }) => traceContext ?? null),
  )
}

export interface UnitEventStore extends EventStore {
  /** To be called at the end of the unit. */
  write(): void
}

export const postgresEventStore = (unit: Transaction): UnitEventStore => {
  const reader = postgresEventReader(unit)
  let appended: DomainEvent[] = []
  const write = (): void => {
    writeEvents(unit, appended)
    appended = []
  }
  return {
    append: async (event) => void appended.push(event),
    list: async (stretch) => {
      write()
      return await reader.list(stretch)
    },
    last: async () => {
      write()
      return await reader.last()
    },
    prune: async (before, limit) => {
      write()
      const rows = await unit.ask(OLDEST, limit)
      const end = rows.findIndex(({ position, at, newest }) => at >= before || position === newest)
      const until = (end < 0 ? rows : rows.slice(0, end)).at(-1)?.position
      return until === undefined ? 0 : await unit.change(REMOVE, until)
    },
    write,
  }
}
