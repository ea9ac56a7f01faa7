import { type DomainEvent, type EventStore, type NumberChange, numbersOf } from '@rollcall/core'
import { EVENT, EVENT_READER, LAST_POSITION, NEW_EVENT, newEventValues } from '../../tables/events.ts'
import { keyOf } from '../lock-keys.ts'
import { arraysOf, rowStatement, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { writeNumbers } from './numbers.ts'
import { postgresReader } from './run-methods.ts'

const COLUMNS = NEW_EVENT.join(', ')
const APPEND = statement(
  `INSERT INTO event (${COLUMNS})
    SELECT ${COLUMNS} FROM unnest(${arraysOf(EVENT, NEW_EVENT)}) WITH ORDINALITY AS new (${COLUMNS}, n) ORDER BY n`,
)
const UNNUMBERED = statement('SELECT id FROM event WHERE position IS NULL ORDER BY id LIMIT $1')
// The place of an id among all of them, which are in order. Without a join, as in what sign-ups change.
const NUMBER = statement(
  `UPDATE event SET position = ${LAST_POSITION} + width_bucket(id, $1::bigint[])
    WHERE id = ANY ($1::bigint[])`,
)
const OLDEST = rowStatement<{ position: number; at: number; newest: number }>(
  `SELECT position, at, (SELECT max(position) FROM event) AS newest
    FROM event WHERE position IS NOT NULL ORDER BY position LIMIT $1`,
)
const REMOVE = statement('DELETE FROM event WHERE position <= $1')

const readerOf = postgresReader(EVENT_READER)

/**
 * Writes the events that were appended, with what they add to the numbers and what else is added: at the end of the unit,
 * when all that they are about is locked.
 */
export const writeEvents = (
  unit: Transaction,
  events: readonly DomainEvent[],
  numbers: readonly NumberChange[] = [],
): void => {
  writeNumbers(unit, [...numbers, ...events.flatMap(numbersOf)])
  if (events.length > 0) unit.write(APPEND, ...valueArrays(NEW_EVENT.length, events.map(newEventValues)))
}

export interface UnitEventStore extends EventStore {
  /** To be called at the end of the unit. */
  write(): void
}

export const postgresEventStore = (unit: Transaction): UnitEventStore => {
  const reader = readerOf(unit)
  let appended: DomainEvent[] = []
  const write = (): void => {
    writeEvents(unit, appended)
    appended = []
  }
  return {
    append: async (...events) => void appended.push(...events),
    list: async (stretch) => {
      write()
      return await reader.list(stretch)
    },
    last: async () => {
      write()
      return await reader.last()
    },
    hasUnnumbered: async () => {
      write()
      return await reader.hasUnnumbered()
    },
    number: async (limit) => {
      write()
      unit.lock(keyOf.sealing)
      const ids = (await unit.ask<[id: number]>(UNNUMBERED, limit)).flat()
      if (ids.length > 0) unit.write(NUMBER, ids)
      return ids.length
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
