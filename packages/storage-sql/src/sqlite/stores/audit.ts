import type { AuditReader, AuditStore } from '@rollcall/core'
import { AUDIT_COLUMNS, type AuditRow, toAuditRecord } from '../../rows/audit-row.ts'
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
  return { list: ({ after, limit }) => pageOf(list.all(after, limit + 1), limit, toAuditRecord) }
}

export const sqliteAuditStore = (writer: Writer): Synchronous<AuditStore> => {
  const { connection } = writer
  const last = connection
    .prepare<[], AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_record ORDER BY sequence DESC LIMIT 1`)
    .raw()
  // A trigger refuses what is not the next record.
  const insert = connection.prepare(
    `INSERT INTO audit_record (${AUDIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    ...sqliteAuditReader(connection),
    last: () => {
      const row = last.get()
      return row && toAuditRecord(row)
    },
    append: (record) => {
      writer.write(
        insert,
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
      )
    },
  }
}
