import type { AuditCheckpoint, AuditRecord } from '@rollcall/core'

export const AUDIT_COLUMNS =
  'sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash'

export type AuditRow = [
  sequence: number,
  at: number,
  actor: string,
  roleSource: AuditRecord['roleSource'],
  tokenId: string | null,
  channel: AuditRecord['channel'],
  requestId: string | null,
  action: AuditRecord['action'],
  target: string | null,
  outcome: string,
  reason: string | null,
  count: number,
  hash: string,
]

export const toAuditRecord = (row: AuditRow): AuditRecord => ({
  sequence: row[0],
  at: row[1],
  actor: row[2],
  roleSource: row[3],
  tokenId: row[4] ?? undefined,
  channel: row[5],
  requestId: row[6] ?? undefined,
  action: row[7],
  target: row[8] ?? undefined,
  outcome: row[9],
  reason: row[10] ?? undefined,
  count: row[11],
  hash: row[12],
})

/** The record in the order of the columns. */
export const toAuditRow = (record: AuditRecord): AuditRow => [
  record.sequence,
  record.at,
  record.actor,
  record.roleSource,
  record.tokenId ?? null,
  record.channel,
  record.requestId ?? null,
  record.action,
  record.target ?? null,
  record.outcome,
  record.reason ?? null,
  record.count,
  record.hash,
]

/** Where the newest checkpoint is kept once more, among what must stay the same. */
export const HEAD = 'audit-head'

export const CHECKPOINT_COLUMNS = 'sequence, hash, at, seal'

export type CheckpointRow = [sequence: number, hash: string, at: number, seal: string]

export const toCheckpoint = ([sequence, hash, at, seal]: CheckpointRow): AuditCheckpoint => ({
  sequence,
  hash,
  at,
  seal,
})
