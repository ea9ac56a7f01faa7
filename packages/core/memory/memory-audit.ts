import type { AuditRecord, AuditStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export const memoryAudit = (journal: Journal): AuditStore => {
  const records = new Table<number, AuditRecord>(journal)
  let last: AuditRecord | undefined
  return {
    list: async (stretch) => pageOf(records, stretch),
    last: async () => last,
    append: async (record) => {
      const before = last
      if (record.sequence !== (before?.sequence ?? 0) + 1)
        throw new RangeError(`no record ${record.sequence} comes next`)
      records.set(record.sequence, record)
      last = record
      journal.note(() => {
        last = before
      })
    },
  }
}
