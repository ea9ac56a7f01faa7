import type { AddressHash, MailKind, OutboxEntry, PendingMail } from '@rollcall/core'
import { columnsOf, counted, type RowOf, table, text, whole } from './table.ts'

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

/** Without the lease. */
export type OutboxRow = Omit<RowOf<typeof OUTBOX>, 'owner' | 'leased_until'>

export const OUTBOX_READ = columnsOf(OUTBOX, 'owner', 'leased_until')
export const OUTBOX_COLUMNS = OUTBOX_READ.join(', ')
/** What is known of a mail before it has an id. */
export const NEW_MAIL = columnsOf(OUTBOX, 'id', 'attempts', 'last_error', 'parked_at', 'owner', 'leased_until')

export const toOutboxEntry = (row: OutboxRow): OutboxEntry => ({
  id: row.id,
  kind: row.kind,
  subscriptionId: row.subscription_id,
  address: row.address,
  messageId: row.message_id,
  createdAt: row.created_at,
  notBefore: row.not_before,
  expiresAt: row.expires_at ?? undefined,
  attempts: row.attempts,
  lastError: row.last_error ?? undefined,
  parkedAt: row.parked_at ?? undefined,
})

export const mailRow = (mail: PendingMail): Omit<OutboxRow, 'id' | 'attempts' | 'last_error' | 'parked_at'> => ({
  kind: mail.kind,
  subscription_id: mail.subscriptionId,
  address: mail.address,
  message_id: mail.messageId,
  created_at: mail.createdAt,
  not_before: mail.notBefore,
  expires_at: mail.expiresAt ?? null,
})

export const MAIL_CAP = table('mail_cap', 1, { address: text<AddressHash>(), last_at: whole(), slots: text() })
