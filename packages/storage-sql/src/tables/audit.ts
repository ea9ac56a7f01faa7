import type { AuditCheckpoint, AuditRecord } from '@rollcall/core'
import { columnsOf, type RowOf, table, text, whole } from './table.ts'

export const AUDIT_RECORD = table('audit_record', 1, {
  sequence: whole(),
  at: whole(),
  actor: text(),
  role_source: text<AuditRecord['roleSource']>(),
  token_id: text<string | null>(),
  channel: text<AuditRecord['channel']>(),
  request_id: text<string | null>(),
  action: text<AuditRecord['action']>(),
  target: text<string | null>(),
  outcome: text(),
  reason: text<string | null>(),
  count: whole(),
  hash: text(),
})

export type AuditRow = RowOf<typeof AUDIT_RECORD>

export const AUDIT_VALUES = columnsOf(AUDIT_RECORD)
export const AUDIT_COLUMNS = AUDIT_VALUES.join(', ')

export const toAuditRecord = (row: AuditRow): AuditRecord => ({
  sequence: row.sequence,
  at: row.at,
  actor: row.actor,
  roleSource: row.role_source,
  tokenId: row.token_id ?? undefined,
  channel: row.channel,
  requestId: row.request_id ?? undefined,
  action: row.action,
  target: row.target ?? undefined,
  outcome: row.outcome,
  reason: row.reason ?? undefined,
  count: row.count,
  hash: row.hash,
})

export const auditRow = (record: AuditRecord): AuditRow => ({
  sequence: record.sequence,
  at: record.at,
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

export const AUDIT_CHECKPOINT = table('audit_checkpoint', 1, {
  sequence: whole(),
  hash: text(),
  at: whole(),
  seal: text(),
})

export type CheckpointRow = RowOf<typeof AUDIT_CHECKPOINT>

export const CHECKPOINT_COLUMNS = columnsOf(AUDIT_CHECKPOINT).join(', ')

export const toCheckpoint = ({ sequence, hash, at, seal }: CheckpointRow): AuditCheckpoint => ({
  sequence,
  hash,
  at,
  seal,
})

/** What must stay the same for as long as there is the database. */
export const INSTANCE = table('instance', 1, { name: text(), value: text() })

/** Where the newest checkpoint is kept once more, in `INSTANCE`. */
export const HEAD = 'audit-head'
