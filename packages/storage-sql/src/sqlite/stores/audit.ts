import { type AuditStore, sealText } from '@rollcall/core'
import { ADD_SEAL, AUDIT_STORE, ENTRY_COLUMNS, entryValues, HEAD, SET_VALUE, sealValues } from '../../tables/audit.ts'
import { insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

export const sqliteAuditStore = (writer: Writer): Synchronous<AuditStore> => {
  const { connection } = writer
  const insert = connection.prepare(insertInto('audit_record', ENTRY_COLUMNS))
  const addSeal = connection.prepare(ADD_SEAL)
  const setHead = connection.prepare(SET_VALUE)
  const number = connection.prepare('UPDATE audit_record SET sequence = ? WHERE id = ? AND sequence IS NULL')
  return {
    ...sqliteStore(AUDIT_STORE, writer),
    append: (entry) => writer.write(insert, ...entryValues(entry)).lastInsertRowid,
    seal: (seal, ids) => {
      writer.write(addSeal, ...sealValues(seal))
      writer.write(setHead, HEAD, sealText(seal))
      for (const [n, id] of ids.entries())
        if (writer.write(number, seal.first + n, id).changes !== 1)
          throw new RangeError(`The record ${id} is not there, or sealed already.`)
    },
  }
}
