import type { AddressHash, MailKind, OutboxEntry, OutboxReader, OutboxStore, PendingMail } from '@rollcall/core'
import { depthOf, FREE, healthOf, LEASE, leasesOf, parkedOrNot, underWayOf } from './leases.ts'
import { all, change, find, type Methods, page, write } from './methods.ts'
import { type Cell, countedTable, mapping, type RowOf, text, whole } from './table.ts'

export const OUTBOX = countedTable('outbox', {
  id: whole(),
  kind: text<MailKind>(),
  subscription_id: whole(),
  address: text<AddressHash>(),
  message_id: text(),
  created_at: whole(),
  not_before: whole(),
  expires_at: whole<number | null>(),
  attempts: whole(),
  last_error: text<string | null>(),
  parked_at: whole<number | null>(),
  owner: text<string | null>(),
  leased_until: whole(),
  sign_up_group: text<string | null>(),
  trace_context: text<string | null>(),
})

const ENTRY = mapping(OUTBOX, ...LEASE)
const NEW = mapping(OUTBOX, 'id', 'attempts', 'last_error', 'parked_at', ...LEASE)

/** Without the lease. */
export type OutboxRow = Omit<RowOf<typeof OUTBOX>, (typeof LEASE)[number]>

export const OUTBOX_READ = ENTRY.columns
/** What is known of a mail before it has an id. */
export const NEW_MAIL = NEW.columns
export const toOutboxEntry: (row: OutboxRow) => OutboxEntry = ENTRY.toRecord

export const mailRow = (mail: PendingMail) => NEW.toRow(mail)
export const mailValues = (mail: PendingMail): Cell[] => NEW.toValues(mail)

const ENTRIES = `SELECT ${OUTBOX_READ.join(', ')} FROM outbox WHERE`

export const OUTBOX_READER: Methods<OutboxReader> = {
  find: find(`${ENTRIES} id = ?`, (id) => [id], toOutboxEntry),
  findMany: all(`${ENTRIES} id IN @wholes`, (ids) => [ids], toOutboxEntry),
  list: page(parkedOrNot(ENTRIES, 'id > ? ORDER BY id LIMIT +?'), 'id', toOutboxEntry),
  health: healthOf(
    'EXISTS (SELECT 1 FROM outbox WHERE parked_at IS NOT NULL)',
    `SELECT not_before FROM outbox WHERE ${FREE} ORDER BY not_before, id LIMIT 1`,
  ),
  depth: depthOf('outbox'),
  underWay: underWayOf('outbox'),
}

export const OUTBOX_STORE: Methods<Omit<OutboxStore, 'add' | 'addMany' | 'claim' | 'giveBack'>> = {
  ...OUTBOX_READER,
  ...leasesOf('outbox'),
  remove: write('DELETE FROM outbox WHERE id IN @wholes', (...ids) => [ids]),
  reassign: write('UPDATE outbox SET subscription_id = ? WHERE id = ?', (id, subscriptionId) => [subscriptionId, id]),
  reschedule: change(
    'UPDATE outbox SET not_before = @now WHERE parked_at IS NULL AND not_before > @now + CAST(? AS bigint)',
    (beyond) => [beyond],
  ),
}
