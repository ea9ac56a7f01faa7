import type {
  AddressHash,
  MailCapStore,
  MailKind,
  MailSlot,
  OutboxEntry,
  OutboxReader,
  OutboxStore,
} from '@rollcall/core'
import { depthOf, FREE, healthOf, LEASE, leasesOf, parkedOrNot } from './leases.ts'
import { change, find, first, type Methods, page, write } from './methods.ts'
import { columnsOf, counted, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

export const OUTBOX = counted(
  table('outbox', 1, {
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
  }),
)

const ENTRY = mapping(OUTBOX, ...LEASE)
const NEW = mapping(OUTBOX, 'id', 'attempts', 'last_error', 'parked_at', ...LEASE)

/** Without the lease. */
export type OutboxRow = Omit<RowOf<typeof OUTBOX>, (typeof LEASE)[number]>

export const OUTBOX_READ = ENTRY.columns
/** What is known of a mail before it has an id. */
export const NEW_MAIL = NEW.columns
export const toOutboxEntry: (row: OutboxRow) => OutboxEntry = ENTRY.toRecord
export const { toRow: mailRow, toValues: mailValues } = NEW

const ENTRIES = `SELECT ${OUTBOX_READ.join(', ')} FROM outbox WHERE`

export const OUTBOX_READER: Methods<OutboxReader> = {
  find: find(`${ENTRIES} id = ?`, (id) => [id], toOutboxEntry),
  list: page(parkedOrNot(ENTRIES, 'id > ? ORDER BY id LIMIT +?'), 'id', toOutboxEntry),
  health: healthOf(
    'EXISTS (SELECT 1 FROM outbox WHERE parked_at IS NOT NULL)',
    `SELECT not_before FROM outbox WHERE ${FREE} ORDER BY not_before, id LIMIT 1`,
  ),
  depth: depthOf('outbox'),
}

export const OUTBOX_STORE: Methods<Omit<OutboxStore, 'add' | 'claim'>> = {
  ...OUTBOX_READER,
  ...leasesOf('outbox'),
  remove: write('DELETE FROM outbox WHERE id = ?', (id) => [id]),
  reschedule: change(
    'UPDATE outbox SET not_before = @now WHERE parked_at IS NULL AND not_before > @now + CAST(? AS bigint)',
    (beyond) => [beyond],
  ),
}

export const MAIL_CAP = table('mail_cap', 1, { address: text<AddressHash>(), last_at: whole(), slots: text() })

const PUT_CAP = `${insertInto('mail_cap', columnsOf(MAIL_CAP))}
  ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`
const REMOVE_CAP = 'DELETE FROM mail_cap WHERE address = ?'

export const MAIL_CAP_STORE: Methods<MailCapStore> = {
  slots: first(
    'SELECT slots FROM mail_cap WHERE address = ?',
    (address) => [address],
    (row: { slots: string } | undefined) => (row === undefined ? [] : (JSON.parse(row.slots) as readonly MailSlot[])),
  ),
  put: write(
    (_, slots) => (slots.length === 0 ? REMOVE_CAP : PUT_CAP),
    (address, slots) =>
      slots.length === 0 ? [address] : [address, Math.max(...slots.map(({ at }) => at)), JSON.stringify(slots)],
  ),
  prune: change(
    'DELETE FROM mail_cap WHERE address IN (SELECT address FROM mail_cap WHERE last_at < ? ORDER BY last_at LIMIT +?)',
    (before, limit) => [before, limit],
  ),
}
