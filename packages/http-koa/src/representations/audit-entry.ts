import type { AuditRecord } from '@rollcall/core'
import { timestamp } from './timestamp.ts'

export const auditEntry = (record: AuditRecord) => ({
  sequence: record.sequence,
  at: timestamp(record.at),
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
