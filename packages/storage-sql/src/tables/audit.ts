import {
  type AuditCheckpoint,
  type AuditReader,
  type AuditRecord,
  type AuditStore,
  checkpointText,
  readCheckpoint,
} from '@rollcall/core'
import { find, first, type Methods, page, write } from './methods.ts'
import { type Cell, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

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
  roles_hash: text<string | null>(),
})

export type AuditRow = RowOf<typeof AUDIT_RECORD>

const RECORD = mapping(AUDIT_RECORD)
/** In the order of the columns. */
export const auditValues: (record: AuditRecord) => Cell[] = RECORD.toValues
export const AUDIT_COLUMNS = RECORD.columns.join(', ')
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
  rolesHash: row.roles_hash ?? undefined,
})

export const AUDIT_CHECKPOINT = table('audit_checkpoint', 1, {
  sequence: whole(),
  hash: text(),
  at: whole(),
  seal: text(),
})

export type CheckpointRow = RowOf<typeof AUDIT_CHECKPOINT>

const CHECKPOINT = mapping(AUDIT_CHECKPOINT)
export const CHECKPOINT_COLUMNS = CHECKPOINT.columns.join(', ')
export const toCheckpoint: (row: CheckpointRow) => AuditCheckpoint = CHECKPOINT.toRecord

/** What must stay the same for as long as there is the database. */
export const INSTANCE = table('instance', 1, { name: text(), value: text() })

/** Where the newest checkpoint is kept once more, in `INSTANCE`. */
export const HEAD = 'audit-head'

const RECORDS = `SELECT ${AUDIT_COLUMNS} FROM audit_record`
const CHECKPOINTS = `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint`

export const AUDIT_READER: Methods<AuditReader> = {
  head: first(
    'SELECT value FROM instance WHERE name = ?',
    () => [HEAD],
    (row: { value: string } | undefined) => readCheckpoint(row?.value ?? ''),
  ),
  list: page(`${RECORDS} WHERE sequence > ? ORDER BY sequence LIMIT +?`, 'sequence', toAuditRecord),
  checkpoints: page(`${CHECKPOINTS} WHERE sequence > ? ORDER BY sequence LIMIT +?`, 'sequence', toCheckpoint),
}

export const AUDIT_STORE: Methods<AuditStore> = {
  ...AUDIT_READER,
  last: find(`${RECORDS} ORDER BY sequence DESC LIMIT 1`, () => [], toAuditRecord),
  lastCheckpoint: find(`${CHECKPOINTS} ORDER BY sequence DESC LIMIT 1`, () => [], toCheckpoint),
  // Triggers refuse what is not the next one.
  append: write(insertInto('audit_record', RECORD.columns), RECORD.toValues),
  addCheckpoint: write(
    insertInto('audit_checkpoint', CHECKPOINT.columns),
    CHECKPOINT.toValues,
    write(
      'INSERT INTO instance (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      (checkpoint) => [HEAD, checkpointText(checkpoint)],
    ),
  ),
}
