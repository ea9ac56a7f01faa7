import { type OutboxReader, type OutboxStore, Unavailable } from '@rollcall/core'
import { OUTBOX_COLUMNS, type OutboxRow, toOutboxEntry } from '../../rows/outbox-row.ts'
import { pageOf } from '../../rows/page-of.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { NewRows } from './new-rows.ts'
import { Reserve } from './reserve.ts'

/** The database's clock, the same for every instance. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
const FREE = `parked_at IS NULL AND not_before <= ${NOW} AND leased_until <= ${NOW}`

const select = (rest: string) => statement(`SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE ${rest}`)
const BY_ID = select('id = $1')
const LOOK = select('id = $1 FOR UPDATE')
const ALL = select('id > $1 ORDER BY id LIMIT $2')
const PARKED = select('parked_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2')
const UNPARKED = select('parked_at IS NULL AND id > $1 ORDER BY id LIMIT $2')
// Whoever asks wants to know soon; and a server that takes no writes works no outbox.
const HEALTH = statement(
  `SELECT EXISTS (SELECT 1 FROM outbox WHERE parked_at IS NOT NULL),
    (SELECT not_before FROM outbox WHERE ${FREE} ORDER BY not_before, id LIMIT 1),
    current_setting('transaction_read_only') = 'off'`,
  { patience: 3_000 },
)
const DEPTH = statement(
  `SELECT (SELECT count(*) FROM outbox WHERE parked_at IS NULL),
    (SELECT count(*) FROM outbox WHERE parked_at IS NOT NULL)`,
)

export const postgresOutboxReader = (ask: Ask): OutboxReader => ({
  find: async (id) => {
    const [row] = await ask<OutboxRow>(BY_ID, id)
    return row && toOutboxEntry(row)
  },
  list: async ({ after, limit, parked }) => {
    const wanted = parked === undefined ? ALL : parked ? PARKED : UNPARKED
    return pageOf(await ask<OutboxRow>(wanted, after, limit + 1), limit, toOutboxEntry)
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
// Whoever else claims at this moment passes over these, and takes the next.
const CLAIM = statement(
  `WITH due AS MATERIALIZED
      (SELECT id FROM outbox WHERE ${FREE} AND owner IS DISTINCT FROM $1
        ORDER BY not_before, id LIMIT $2 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE outbox SET owner = $1, leased_until = ${NOW} + $3, attempts = attempts + 1
      FROM due WHERE outbox.id = due.id RETURNING ${OUTBOX_COLUMNS.replace('id', 'outbox.id')})
    SELECT * FROM leased ORDER BY not_before, id`,
)
const RENEW = statement(`UPDATE outbox SET leased_until = ${NOW} + $2 WHERE owner = $1 AND leased_until > ${NOW}`)
const SETTLE = statement('DELETE FROM outbox WHERE id = $1 AND owner = $2')
const POSTPONE = statement(
  `UPDATE outbox SET owner = NULL, leased_until = 0, not_before = $3, attempts = attempts - $4,
    last_error = coalesce($5, last_error) WHERE id = $1 AND owner = $2`,
)
const PARK = statement(
  `UPDATE outbox SET owner = NULL, leased_until = 0, parked_at = ${NOW}, last_error = $3 WHERE id = $1 AND owner = $2`,
)
const RETRY = statement(`UPDATE outbox SET not_before = ${NOW}, attempts = 0, parked_at = NULL WHERE id = $1`)
const HASTEN = statement(
  `UPDATE outbox SET not_before = ${NOW} WHERE parked_at IS NULL AND not_before > ${NOW} + $1::bigint`,
)

export const postgresOutboxStore = (unit: Transaction, rows: NewRows, ids = new Reserve(unit, IDS)): OutboxStore => ({
  ...postgresOutboxReader(unit.ask),
  find: async (id) => {
    const row = await unit.firm<OutboxRow>(keyOf.outboxEntry(id), LOOK, id)
    return row && toOutboxEntry(row)
  },
  add: async ({ kind, subscriptionId, address, messageId, createdAt, notBefore, expiresAt = null }) => {
    const id = await ids.take()
    rows.add('mails', [id, kind, subscriptionId, address, messageId, createdAt, notBefore, expiresAt])
    return id
  },
  remove: async (id) => unit.write(REMOVE, id),
  claim: async ({ owner, limit, leaseFor }) =>
    (await unit.ask<OutboxRow>(CLAIM, owner, limit, leaseFor)).map(toOutboxEntry),
  renew: async (owner, leaseFor) => unit.write(RENEW, owner, leaseFor),
  settle: async (id, owner) => (await unit.change(SETTLE, id, owner)) === 1,
  postpone: async (id, owner, { notBefore, attempted, error = null }) =>
    unit.write(POSTPONE, id, owner, notBefore, attempted ? 0 : 1, error),
  park: async (id, owner, error) => unit.write(PARK, id, owner, error),
  retry: async (id) => (await unit.change(RETRY, id)) === 1,
  hasten: async (beyond) => await unit.change(HASTEN, beyond),
})
