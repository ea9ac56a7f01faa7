import type { DeletionReport, OutboxEntry } from '@rollcall/core'
import { instantText } from './instant-text.ts'

export const outboxRepresentation = (entry: OutboxEntry) => ({
  id: entry.id,
  kind: entry.kind,
  subscription_id: entry.subscriptionId,
  message_id: entry.messageId,
  attempts: entry.attempts,
  last_error: entry.lastError ?? null,
  created_at: instantText(entry.createdAt),
  not_before: instantText(entry.notBefore),
  expires_at: instantText(entry.expiresAt),
  parked_at: instantText(entry.parkedAt),
})

export const deletionRepresentation = (report: DeletionReport) => ({
  id: report.userId,
  outcome: 'deleted',
  subscriptions_erased: report.subscriptionsErased,
  subscriptions_kept: report.subscriptionsKept,
})
