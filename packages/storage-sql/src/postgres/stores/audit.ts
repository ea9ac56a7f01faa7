import { type AuditReader, type AuditStore, checkpointText, readCheckpoint } from '@rollcall/core'
import {
  AUDIT_COLUMNS,
  AUDIT_VALUES,
  type AuditRow,
  auditRow,
  CHECKPOINT_COLUMNS,
  type CheckpointRow,
  HEAD,
  toAuditRecord,
  toCheckpoint,
} from '../../tables/audit.ts'
import { pageOf, valuesOf } from '../../tables/table.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const LIST = rowStatement<AuditRow>(
  `SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
)
const CHECKPOINTS = rowStatement<CheckpointRow>(
  `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
)
const LAST = rowStatement<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_record ORDER BY sequence DESC LIMIT 1`)
const LAST_CHECKPOINT = rowStatement<CheckpointRow>(
  `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint ORDER BY sequence DESC LIMIT 1`,
)
// Triggers refuse what is not the next one.
const SEAL = statement(`INSERT INTO audit_checkpoint (${CHECKPOINT_COLUMNS}) VALUES (${placeholders(4)})`)
const FIND_HEAD = statement('SELECT value FROM instance WHERE name = $1')
const SET_HEAD = statement(
  'INSERT INTO instance (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
)
const INSERT = statement(`INSERT INTO audit_record (${AUDIT_COLUMNS}) VALUES (${placeholders(AUDIT_VALUES.length)})`)

const sequenceOf = ({ sequence }: AuditRow | CheckpointRow): number => sequence

export const postgresAuditReader = (ask: Ask): AuditReader => ({
  head: async () => {
    const [row] = await ask<[value: string]>(FIND_HEAD, HEAD)
    return readCheckpoint(row?.[0] ?? '')
  },
  list: async ({ after, limit }) => pageOf(await ask(LIST, after, limit + 1), { limit, by: sequenceOf }, toAuditRecord),
  checkpoints: async ({ after, limit }) =>
    pageOf(await ask(CHECKPOINTS, after, limit + 1), { limit, by: sequenceOf }, toCheckpoint),
})

/** A unit that reads the end of the trail holds its lock until the unit ends. Sign-ups never read it. */
export const postgresAuditStore = (unit: Transaction): AuditStore => {
  const lock = () => unit.lock(keyOf.audit)
  return {
    ...postgresAuditReader(unit.ask),
    last: async () => {
      lock()
      const [row] = await unit.ask(LAST)
      return row && toAuditRecord(row)
    },
    lastCheckpoint: async () => {
      lock()
      const [row] = await unit.ask(LAST_CHECKPOINT)
      return row && toCheckpoint(row)
    },
    addCheckpoint: async (checkpoint) => {
      const { sequence, hash, at, seal } = checkpoint
      lock()
      unit.write(SEAL, sequence, hash, at, seal)
      unit.write(SET_HEAD, HEAD, checkpointText(checkpoint))
    },
    append: async (record) => {
      lock()
      unit.write(INSERT, ...valuesOf(AUDIT_VALUES, auditRow(record)))
    },
  }
}
