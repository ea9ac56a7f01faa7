import { type AuditReader, type AuditStore, checkpointText, readCheckpoint } from '@rollcall/core'
import {
  AUDIT_COLUMNS,
  type AuditRow,
  CHECKPOINT_COLUMNS,
  type CheckpointRow,
  HEAD,
  toAuditRecord,
  toAuditRow,
  toCheckpoint,
} from '../../rows/audit-row.ts'
import { pageOf } from '../../rows/page-of.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const LIST = statement(`SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE sequence > $1 ORDER BY sequence LIMIT $2`)
const CHECKPOINTS = statement(
  `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
)
const LAST = statement(`SELECT ${AUDIT_COLUMNS} FROM audit_record ORDER BY sequence DESC LIMIT 1`)
const LAST_CHECKPOINT = statement(`SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint ORDER BY sequence DESC LIMIT 1`)
// Triggers refuse what is not the next one.
const SEAL = statement(`INSERT INTO audit_checkpoint (${CHECKPOINT_COLUMNS}) VALUES (${placeholders(4)})`)
const FIND_HEAD = statement('SELECT value FROM instance WHERE name = $1')
const SET_HEAD = statement(
  'INSERT INTO instance (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
)
const INSERT = statement(`INSERT INTO audit_record (${AUDIT_COLUMNS}) VALUES (${placeholders(13)})`)

export const postgresAuditReader = (ask: Ask): AuditReader => ({
  head: async () => {
    const [row] = await ask<[value: string]>(FIND_HEAD, HEAD)
    return readCheckpoint(row?.[0] ?? '')
  },
  list: async ({ after, limit }) => pageOf(await ask<AuditRow>(LIST, after, limit + 1), limit, toAuditRecord),
  checkpoints: async ({ after, limit }) =>
    pageOf(await ask<CheckpointRow>(CHECKPOINTS, after, limit + 1), limit, toCheckpoint),
})

/** Who looks at the end of the trail keeps it to itself until its unit ends; nobody who signs up ever looks there. */
export const postgresAuditStore = (unit: Transaction): AuditStore => {
  const lock = () => unit.lock(keyOf.audit)
  return {
    ...postgresAuditReader(unit.ask),
    last: async () => {
      lock()
      const [row] = await unit.ask<AuditRow>(LAST)
      return row && toAuditRecord(row)
    },
    lastCheckpoint: async () => {
      lock()
      const [row] = await unit.ask<CheckpointRow>(LAST_CHECKPOINT)
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
      unit.write(INSERT, ...toAuditRow(record))
    },
  }
}
