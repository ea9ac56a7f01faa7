import type { Clock, OutboxReader, OutboxStore } from '@rollcall/core'
import { mailRow, NEW_MAIL, OUTBOX_COLUMNS, type OutboxRow, toOutboxEntry } from '../../tables/mails.ts'
import { pageOf, valuesOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { FREE, sqliteLeases } from './leases.ts'

const LONGEST_DUE = `FROM outbox WHERE ${FREE} ORDER BY not_before, id LIMIT +?`
const LONGEST_DUE_FOR = `FROM outbox WHERE ${FREE} AND owner IS NOT ? ORDER BY not_before, id LIMIT +?`

export const sqliteOutboxReader = (connection: Connection, clock: Clock): Synchronous<OutboxReader> => {
  const select = <Parameters extends unknown[]>(rest: string) =>
    connection.prepare<Parameters, OutboxRow>(`SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE ${rest}`)
  const byId = select<[number]>('id = ?')
  const all = select<[number, number]>('id > ? ORDER BY id LIMIT +?')
  const parked = select<[number, number]>('parked_at IS NOT NULL AND id > ? ORDER BY id LIMIT +?')
  const unparked = select<[number, number]>('parked_at IS NULL AND id > ? ORDER BY id LIMIT +?')
  const health = connection
    .prepare<[number, number, number], [parked: number, dueSince: number | null]>(
      `SELECT EXISTS (SELECT 1 FROM outbox WHERE parked_at IS NOT NULL), (SELECT not_before ${LONGEST_DUE})`,
    )
    .raw()
  // Each is answered from a partial index of its own.
  const depth = connection
    .prepare<[], [waiting: number, parked: number]>(
      `SELECT (SELECT count(*) FROM outbox WHERE parked_at IS NULL),
        (SELECT count(*) FROM outbox WHERE parked_at IS NOT NULL)`,
    )
    .raw()
  return {
    find: (id) => {
      const row = byId.get(id)
      return row && toOutboxEntry(row)
    },
    list: ({ after, limit, parked: wanted }) => {
      const statement = wanted === undefined ? all : wanted ? parked : unparked
      return pageOf(statement.all(after, limit + 1), { limit, by: ({ id }) => id }, toOutboxEntry)
    },
    health: () => {
      const now = clock.now()
      const [isParked = 0, dueSince] = health.get(now, now, 1) ?? []
      return { parked: isParked === 1, dueSince: dueSince ?? undefined }
    },
    depth: () => {
      const [waiting = 0, parked = 0] = depth.get() ?? []
      return { waiting, parked }
    },
  }
}

export const sqliteOutboxStore = (writer: Writer, clock: Clock): Synchronous<OutboxStore> => {
  const { connection } = writer
  const add = connection.prepare(
    `INSERT INTO outbox (${NEW_MAIL.join(', ')}) VALUES (${NEW_MAIL.map(() => '?').join(', ')})`,
  )
  const remove = connection.prepare('DELETE FROM outbox WHERE id = ?')
  const free = connection.prepare<[number, number, string, number], OutboxRow>(
    `SELECT ${OUTBOX_COLUMNS} ${LONGEST_DUE_FOR}`,
  )
  const { leases, take } = sqliteLeases(writer, clock, 'outbox')
  const reschedule = connection.prepare('UPDATE outbox SET not_before = ? WHERE parked_at IS NULL AND not_before > ?')

  return {
    ...sqliteOutboxReader(connection, clock),
    ...leases,
    add: (mail) => Number(writer.write(add, ...valuesOf(NEW_MAIL, mailRow(mail))).lastInsertRowid),
    remove: (id) => {
      writer.write(remove, id)
    },
    claim: ({ owner, limit, leaseFor }) => {
      const now = clock.now()
      return free.all(now, now, owner, limit).map((row) => {
        const entry = toOutboxEntry(row)
        take(entry.id, owner, now + leaseFor)
        return { ...entry, attempts: entry.attempts + 1 }
      })
    },
    reschedule: (beyond) => {
      const now = clock.now()
      return writer.write(reschedule, now, now + beyond).changes
    },
  }
}
