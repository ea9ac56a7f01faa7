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
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'

export const sqliteAuditReader = (connection: Connection): Synchronous<AuditReader> => {
  const list = connection
    .prepare<[number, number], AuditRow>(
      `SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE sequence > ? ORDER BY sequence LIMIT +?`,
    )
    .raw()
  const checkpoints = connection
    .prepare<[number, number], CheckpointRow>(
      `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint WHERE sequence > ? ORDER BY sequence LIMIT +?`,
    )
    .raw()
  const head = connection.prepare<[string], string>('SELECT value FROM instance WHERE name = ?').pluck()
  return {
    head: () => readCheckpoint(head.get(HEAD) ?? ''),
    list: ({ after, limit }) => pageOf(list.all(after, limit + 1), limit, toAuditRecord),
    checkpoints: ({ after, limit }) => pageOf(checkpoints.all(after, limit + 1), limit, toCheckpoint),
  }
}

export const sqliteAuditStore = (writer: Writer): Synchronous<AuditStore> => {
  const { connection } = writer
  const last = connection
    .prepare<[], AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_record ORDER BY sequence DESC LIMIT 1`)
    .raw()
  const lastCheckpoint = connection
    .prepare<[], CheckpointRow>(`SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint ORDER BY sequence DESC LIMIT 1`)
    .raw()
  // Triggers refuse what is not the next one.
  const seal = connection.prepare(`INSERT INTO audit_checkpoint (${CHECKPOINT_COLUMNS}) VALUES (?, ?, ?, ?)`)
  const setHead = connection.prepare('INSERT OR REPLACE INTO instance (name, value) VALUES (?, ?)')
  const insert = connection.prepare(
    `INSERT INTO audit_record (${AUDIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      writer.write(insert, ...toAuditRow(record))
    },
  }
}
