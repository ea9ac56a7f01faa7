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
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

const sequenceOf = ({ sequence }: AuditRow | CheckpointRow): number => sequence

export const sqliteAuditReader = (connection: Connection): Synchronous<AuditReader> => {
  const list = connection.prepare<[number, number], AuditRow>(
    `SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE sequence > ? ORDER BY sequence LIMIT +?`,
  )
  const checkpoints = connection.prepare<[number, number], CheckpointRow>(
    `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint WHERE sequence > ? ORDER BY sequence LIMIT +?`,
  )
  const head = connection.prepare<[string], string>('SELECT value FROM instance WHERE name = ?').pluck()
  return {
    head: () => readCheckpoint(head.get(HEAD) ?? ''),
    list: ({ after, limit }) => pageOf(list.all(after, limit + 1), { limit, by: sequenceOf }, toAuditRecord),
    checkpoints: ({ after, limit }) =>
      pageOf(checkpoints.all(after, limit + 1), { limit, by: sequenceOf }, toCheckpoint),
  }
}

export const sqliteAuditStore = (writer: Writer): Synchronous<AuditStore> => {
  const { connection } = writer
  const last = connection.prepare<[], AuditRow>(
    `SELECT ${AUDIT_COLUMNS} FROM audit_record ORDER BY sequence DESC LIMIT 1`,
  )
  const lastCheckpoint = connection.prepare<[], CheckpointRow>(
    `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint ORDER BY sequence DESC LIMIT 1`,
  )
  // Triggers refuse what is not the next one.
  const seal = connection.prepare(`INSERT INTO audit_checkpoint (${CHECKPOINT_COLUMNS}) VALUES (?, ?, ?, ?)`)
  const setHead = connection.prepare('INSERT OR REPLACE INTO instance (name, value) VALUES (?, ?)')
  const insert = connection.prepare(
    `INSERT INTO audit_record (${AUDIT_COLUMNS}) VALUES (${AUDIT_VALUES.map(() => '?').join(', ')})`,
  )
  return {
    ...sqliteAuditReader(connection),
    last: () => {
      const row = last.get()
      return row && toAuditRecord(row)
    },
    lastCheckpoint: () => {
      const row = lastCheckpoint.get()
      return row && toCheckpoint(row)
    },
    addCheckpoint: (checkpoint) => {
      writer.write(seal, checkpoint.sequence, checkpoint.hash, checkpoint.at, checkpoint.seal)
      writer.write(setHead, HEAD, checkpointText(checkpoint))
    },
    append: (record) => {
      writer.write(insert, ...valuesOf(AUDIT_VALUES, auditRow(record)))
    },
  }
}
