import { type DeletionReport, type OutboxEntry, sortableCursorOf, type WebhookDelivery } from '@rollcall/core'
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

/** As of a mail, with the webhook and the subject of the event. */
export const undeliveredEventRepresentation = (delivery: WebhookDelivery) => ({
  id: `e${delivery.id}`,
  kind: delivery.event.type,
  webhook: delivery.webhook,
  subject: delivery.event.subject,
  sequence: sortableCursorOf(delivery.event.position),
  attempts: delivery.attempts,
  last_error: delivery.lastError ?? null,
  created_at: instantText(delivery.createdAt),
  not_before: instantText(delivery.notBefore),
  parked_at: instantText(delivery.parkedAt),
})

export const deletionRepresentation = (report: DeletionReport) => ({
  id: report.userId,
  outcome: 'deleted',
  subscriptions_erased: report.subscriptionsErased,
  subscriptions_kept: report.subscriptionsKept,
})
