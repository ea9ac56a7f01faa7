import {
  type AuditReader,
  type AuditRecord,
  type AuditSeal,
  type AuditStore,
  readSeal,
  type SealedRecord,
} from '@rollcall/core'
import { find, first, type Methods, page } from './methods.ts'
import { type Cell, countedTable, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

export const AUDIT_RECORD = countedTable('audit_record', {
  id: whole(),
  sequence: whole<number | null>(),
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
  roles_hash: text<string | null>(),
})

export type AuditRow = RowOf<typeof AUDIT_RECORD>

const ENTRY = mapping(AUDIT_RECORD, 'id', 'sequence')
export const ENTRY_COLUMNS = ENTRY.columns
/** In the order of `ENTRY_COLUMNS`. */
export const entryValues: (entry: Omit<AuditRecord, 'id' | 'sequence'>) => Cell[] = ENTRY.toValues

const RECORD = mapping(AUDIT_RECORD)
export const AUDIT_COLUMNS = RECORD.columns.join(', ')
export const toAuditRecord: (row: AuditRow) => AuditRecord = RECORD.toRecord

export const AUDIT_SEAL = table('audit_seal', 1, {
  last: whole(),
  first: whole(),
  hash: text(),
  at: whole(),
  mac: text(),
})

export type SealRow = RowOf<typeof AUDIT_SEAL>

const SEAL = mapping(AUDIT_SEAL)
export const SEAL_COLUMNS = SEAL.columns.join(', ')
export const toSeal: (row: SealRow) => AuditSeal = SEAL.toRecord

/** What must stay the same for as long as there is the database. */
export const INSTANCE = table('instance', 1, { name: text(), value: text() })

/** Where the newest seal is kept once more, in `INSTANCE`. */
export const HEAD = 'audit-head'

const RECORDS = `SELECT ${AUDIT_COLUMNS} FROM audit_record`
const SEALS = `SELECT ${SEAL_COLUMNS} FROM audit_seal`

export const AUDIT_READER: Methods<AuditReader> = {
  head: first(
    'SELECT value FROM instance WHERE name = ?',
    () => [HEAD],
    (row: { value: string } | undefined) => readSeal(row?.value ?? ''),
  ),
  list: page(
    `${RECORDS} WHERE sequence > ? ORDER BY sequence LIMIT +?`,
    'sequence',
    toAuditRecord as (row: AuditRow & { readonly sequence: number }) => SealedRecord,
  ),
  unsealed: page(`${RECORDS} WHERE sequence IS NULL AND id > ? ORDER BY id LIMIT +?`, 'id', toAuditRecord),
  find: find(`${RECORDS} WHERE id = ?`, (id) => [id], toAuditRecord),
  seals: page(`${SEALS} WHERE last > ? ORDER BY last LIMIT +?`, 'last', toSeal),
}

export const AUDIT_STORE: Methods<Omit<AuditStore, 'append' | 'seal'>> = {
  ...AUDIT_READER,
  newestSeal: find(`${SEALS} ORDER BY last DESC LIMIT 1`, () => [], toSeal),
}

/** Triggers refuse a seal that does not follow the last one. */
export const ADD_SEAL = insertInto('audit_seal', SEAL.columns)
export const sealValues: (seal: AuditSeal) => Cell[] = SEAL.toValues

/** Of `INSTANCE`, such as the seal as text of `HEAD`. */
export const SET_VALUE =
  'INSERT INTO instance (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
