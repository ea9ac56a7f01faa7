import type { AuditRecord } from '../audit/audit-record.ts'
import { timestamp } from './timestamp.ts'

/** A record of the audit trail as everybody outside sees it. */
export const auditEntryRecord = (record: AuditRecord) => ({
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
