import type { AuditCheckpoint, AuditRecord, AuditStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export const memoryAudit = (journal: Journal): AuditStore => {
  const records = new Table<number, AuditRecord>(journal)
  const checkpoints = new Table<number, AuditCheckpoint>(journal)
  const heads = new Table<'head', AuditCheckpoint>(journal)
  let last: AuditRecord | undefined
  return {
    list: async (stretch) => pageOf(records, stretch),
    checkpoints: async ({ after, limit }) => {
      const found = checkpoints.rows().filter(({ sequence }) => sequence > after)
      const items = found.slice(0, limit)
      return { items, next: found.length > limit ? items.at(-1)?.sequence : undefined }
    },
    head: async () => heads.get('head'),
    lastCheckpoint: async () => checkpoints.rows().at(-1),
    addCheckpoint: async (checkpoint) => {
      if (checkpoint.sequence <= (checkpoints.rows().at(-1)?.sequence ?? 0))
        throw new RangeError(`record ${checkpoint.sequence} is sealed already`)
      checkpoints.set(checkpoint.sequence, checkpoint)
      heads.set('head', checkpoint)
    },
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
