import type { AuditCheckpoint, AuditRecord, AuditStore, EventRecord, EventStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryEvents = (journal: Journal): EventStore => {
  const events = new Table<number, EventRecord>(journal)
  return {
    list: async (stretch) => events.page(stretch),
    append: async (event) => {
      const position = (events.rows().at(-1)?.position ?? 0) + 1
      events.set(position, { ...event, position })
    },
    prune: async (before, limit) => {
      const old = events.rows().slice(0, -1).slice(0, limit)
      const end = old.findIndex(({ at }) => at >= before)
      const pruned = end < 0 ? old : old.slice(0, end)
      for (const { position } of pruned) events.delete(position)
      return pruned.length
    },
  }
}

export const memoryAudit = (journal: Journal): AuditStore => {
  const records = new Table<number, AuditRecord>(journal)
  const checkpoints = new Table<number, AuditCheckpoint>(journal)
  const ends = new Table<'last', AuditRecord>(journal)
  const heads = new Table<'head', AuditCheckpoint>(journal)
  return {
    list: async (stretch) => records.page(stretch),
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
    last: async () => ends.get('last'),
    append: async (record) => {
      if (record.sequence !== (ends.get('last')?.sequence ?? 0) + 1)
        throw new RangeError(`no record ${record.sequence} comes next`)
      records.set(record.sequence, record)
      ends.set('last', record)
    },
  }
}
