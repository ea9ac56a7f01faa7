import type { AddressHash, MailKind, OutboxEntry } from '@rollcall/core'

export const OUTBOX_COLUMNS =
  'id, kind, subscription_id, address, message_id, created_at, not_before, expires_at, attempts, last_error, parked_at'

export type OutboxRow = [
  id: number,
  kind: MailKind,
  subscriptionId: number,
  address: string,
  messageId: string,
  createdAt: number,
  notBefore: number,
  expiresAt: number | null,
  attempts: number,
  lastError: string | null,
  parkedAt: number | null,
]

export const toOutboxEntry = (row: OutboxRow): OutboxEntry => ({
  id: row[0],
  kind: row[1],
  subscriptionId: row[2],
  address: row[3] as AddressHash,
  messageId: row[4],
  createdAt: row[5],
  notBefore: row[6],
  expiresAt: row[7] ?? undefined,
  attempts: row[8],
  lastError: row[9] ?? undefined,
  parkedAt: row[10] ?? undefined,
})
