import {
  type GivenBack,
  type LeasedEntries,
  type OutboxReader,
  type OutboxStore,
  type PendingMail,
  Unavailable,
} from '@rollcall/core'
import { GIVE_BACK, type LeasedTable } from '../../tables/leases.ts'
import { mailRow, OUTBOX_READ, OUTBOX_READER, OUTBOX_STORE, type OutboxRow, toOutboxEntry } from '../../tables/mails.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, rowStatement, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { type NewRows, Reserve } from './new-rows.ts'
import { type Asked, FREE_NOW, firm, firmEach, NOW, postgresReader, postgresStore } from './run-methods.ts'

// A health check must answer soon; and on a read-only server the outbox does not work.
const HEALTH = statement(
  `SELECT EXISTS (SELECT 1 FROM outbox WHERE parked_at IS NOT NULL),
    (SELECT not_before FROM outbox WHERE ${FREE_NOW} ORDER BY not_before, id LIMIT 1),
    current_setting('transaction_read_only') = 'off'`,
  { timeout: 3_000 },
)
const reader = postgresReader(OUTBOX_READER)
const store = postgresStore(OUTBOX_STORE, {
  find: firm(keyOf.outboxEntry),
  findMany: firmEach(keyOf.outboxEntry),
})

const healthOf =
  (ask: Ask): OutboxReader['health'] =>
  async () => {
    const rows = await ask<[parked: boolean, dueSince: number | null, writable: boolean]>(HEALTH)
    const [[parked, dueSince, writable] = [false, null, false]] = rows
    if (!writable) throw new Unavailable()
    return { parked, dueSince: dueSince ?? undefined }
  }

export const postgresOutboxReader = (asked: Asked): OutboxReader => ({
  ...reader(asked),
  health: healthOf(asked.ask),
})

const IDS = statement("SELECT nextval('outbox_id_seq') FROM generate_series(1, $1::integer)")
/** `giveBack` in the table. */
export const giverBack = (table: LeasedTable): ((unit: Transaction) => LeasedEntries['giveBack']) => {
  const giveBack = statement(
    `UPDATE ${table} SET ${GIVE_BACK}, not_before = coalesce(given.not_before, ${table}.not_before),
        parked_at = CASE WHEN given.not_before IS NULL THEN ${NOW} END,
        attempts = greatest(0, attempts - given.untried), last_error = coalesce(given.error, last_error)
      FROM unnest($2::bigint[], $3::bigint[], $4::integer[], $5::text[]) AS given (id, not_before, untried, error)
      WHERE ${table}.id = given.id AND ${table}.owner = $1`,
  )
  const valuesOf = ({ id, notBefore, attempted, error }: GivenBack) => [
    id,
    notBefore ?? null,
    attempted ? 0 : 1,
    error ?? null,
  ]
  return (unit) => async (owner, entries) => {
    if (entries.length > 0) unit.write(giveBack, owner, ...valueArrays(4, entries.map(valuesOf)))
  }
}

const giveBack = giverBack('outbox')
// Without statistics PostgreSQL takes a backlog for a few rows, and would read and sort all of it for each claim.
export const IN_ORDER = statement("SELECT set_config('enable_bitmapscan', 'off', true)")
// A concurrent claim skips these and takes the next ones.
export const CLAIM = rowStatement<OutboxRow>(
  `WITH due AS MATERIALIZED
      (SELECT id FROM outbox WHERE ${FREE_NOW} AND owner IS DISTINCT FROM $1
        ORDER BY not_before, id LIMIT $2 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE outbox SET owner = $1, leased_until = ${NOW} + $3, attempts = attempts + 1
      FROM due WHERE outbox.id = due.id RETURNING ${OUTBOX_READ.map((column) => `outbox.${column}`).join(', ')})
    SELECT * FROM leased ORDER BY not_before, id`,
)

export const postgresOutboxStore = (unit: Transaction, rows: NewRows): OutboxStore => {
  const ids = new Reserve(unit, IDS)
  const add = (id: number, mail: PendingMail): number => {
    rows.add('mails', { id, ...mailRow(mail) })
    return id
  }
  const described = store(unit)
  return {
    ...described,
    findMany: async (ids) => (ids.length === 0 ? [] : await described.findMany(ids)),
    health: healthOf(unit.ask),
    add: async (mail) => add((await ids.take(1))[0] ?? 0, mail),
    addMany: async (mails) => {
      const numbers = await ids.take(mails.length)
      return mails.map((mail, n) => add(numbers[n] ?? 0, mail))
    },
    giveBack: giveBack(unit),
    claim: async ({ owner, limit, leaseFor }) => {
      unit.write(IN_ORDER)
      return (await unit.ask(CLAIM, owner, limit, leaseFor)).map(toOutboxEntry)
    },
  }
}
