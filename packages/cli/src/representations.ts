import type { AuditRecord, DeletionReport, Feed, OutboxEntry, User } from '@rollcall/core'
import { instantText } from './instant-text.ts'

// The keys are those of the HTTP representations, wherever there is one.

export const userRepresentation = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  roles: user.roles,
  created_at: instantText(user.createdAt),
  updated_at: instantText(user.updatedAt),
})

export const feedRepresentation = (feed: Feed) => ({
  name: feed.name,
  title: feed.title,
  description: feed.description,
  language: feed.language ?? null,
  created_at: instantText(feed.createdAt),
  updated_at: instantText(feed.updatedAt),
})

export const auditRepresentation = (record: AuditRecord) => ({
  sequence: record.sequence,
  at: instantText(record.at),
  actor: record.actor,
  role_source: record.roleSource,
  token_id: record.tokenId ?? null,
  channel: record.channel,
  request_id: record.requestId ?? null,
  action: record.action,
  target: record.target ?? null,
  outcome: record.outcome,
  reason: record.reason ?? null,
  count: record.count,
  hash: record.hash,
})

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
