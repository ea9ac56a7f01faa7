import { type OutboxReader, type OutboxStore, Unavailable } from '@rollcall/core'
import { mailRow, OUTBOX_COLUMNS, OUTBOX_READ, type OutboxRow, toOutboxEntry } from '../../tables/mails.ts'
import { pageOf } from '../../tables/table.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { FREE, NOW, postgresLeases } from './leases.ts'
import type { NewRows } from './new-rows.ts'
import { Reserve } from './reserve.ts'

const select = (rest: string) => rowStatement<OutboxRow>(`SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE ${rest}`)
const BY_ID = select('id = $1')
const LOOK = select('id = $1 FOR UPDATE')
const ALL = select('id > $1 ORDER BY id LIMIT $2')
const PARKED = select('parked_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2')
const UNPARKED = select('parked_at IS NULL AND id > $1 ORDER BY id LIMIT $2')
// A health check must answer soon; and on a read-only server the outbox does not work.
const HEALTH = statement(
  `SELECT EXISTS (SELECT 1 FROM outbox WHERE parked_at IS NOT NULL),
    (SELECT not_before FROM outbox WHERE ${FREE} ORDER BY not_before, id LIMIT 1),
    current_setting('transaction_read_only') = 'off'`,
  { timeout: 3_000 },
)
const DEPTH = statement(
  `SELECT (SELECT count(*) FROM outbox WHERE parked_at IS NULL),
    (SELECT count(*) FROM outbox WHERE parked_at IS NOT NULL)`,
)

export const postgresOutboxReader = (ask: Ask): OutboxReader => ({
  find: async (id) => {
    const [row] = await ask(BY_ID, id)
    return row && toOutboxEntry(row)
  },
  list: async ({ after, limit, parked }) => {
    const wanted = parked === undefined ? ALL : parked ? PARKED : UNPARKED
    return pageOf(await ask(wanted, after, limit + 1), { limit, by: ({ id }) => id }, toOutboxEntry)
  },
  health: async () => {
    const rows = await ask<[parked: boolean, dueSince: number | null, writable: boolean]>(HEALTH)
    const [[parked, dueSince, writable] = [false, null, false]] = rows
    if (!writable) throw new Unavailable()
    return { parked, dueSince: dueSince ?? undefined }
  },
  depth: async () => {
    const [[waiting, parked] = [0, 0]] = await ask<[waiting: number, parked: number]>(DEPTH)
    return { waiting, parked }
  },
})

const IDS = statement("SELECT nextval('outbox_id_seq') FROM generate_series(1, $1::integer)")
const REMOVE = statement('DELETE FROM outbox WHERE id = $1')
// A concurrent claim skips these and takes the next ones.
const CLAIM = rowStatement<OutboxRow>(
  `WITH due AS MATERIALIZED
      (SELECT id FROM outbox WHERE ${FREE} AND owner IS DISTINCT FROM $1
        ORDER BY not_before, id LIMIT $2 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE outbox SET owner = $1, leased_until = ${NOW} + $3, attempts = attempts + 1
      FROM due WHERE outbox.id = due.id RETURNING ${OUTBOX_READ.map((column) => `outbox.${column}`).join(', ')})
    SELECT * FROM leased ORDER BY not_before, id`,
)
const leasesOf = postgresLeases('outbox')
const RESCHEDULE = statement(
  `UPDATE outbox SET not_before = ${NOW} WHERE parked_at IS NULL AND not_before > ${NOW} + $1::bigint`,
)

export const postgresOutboxStore = (unit: Transaction, rows: NewRows, ids = new Reserve(unit, IDS)): OutboxStore => ({
  ...postgresOutboxReader(unit.ask),
  ...leasesOf(unit),
  find: async (id) => {
    const row = await unit.firm(keyOf.outboxEntry(id), LOOK, id)
    return row && toOutboxEntry(row)
  },
  add: async (mail) => {
    const id = await ids.take()
    rows.add('mails', { id, ...mailRow(mail) })
    return id
  },
  remove: async (id) => unit.write(REMOVE, id),
  claim: async ({ owner, limit, leaseFor }) => (await unit.ask(CLAIM, owner, limit, leaseFor)).map(toOutboxEntry),
  reschedule: async (beyond) => await unit.change(RESCHEDULE, beyond),
})
