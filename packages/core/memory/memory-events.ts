import type { AuditCheckpoint, AuditRecord, AuditStore, EventRecord, EventStore, Page, Stretch } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

/** By a number of their own, which is given again where a unit was undone; their place in the table is not. */
const stretchBy = <Row>(rows: readonly Row[], numberOf: (row: Row) => number, { after, limit }: Stretch): Page<Row> => {
  const found = rows.filter((row) => numberOf(row) > after)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? numberOf(last) : undefined }
}

export const memoryEvents = (journal: Journal): EventStore => {
  const events = new Table<number, EventRecord>(journal)
  const last = () => events.rows().at(-1)?.position ?? 0
  return {
    list: async (stretch) => stretchBy(events.rows(), ({ position }) => position, stretch),
    last: async () => last(),
    append: async (event) => {
      const position = last() + 1
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
    list: async (stretch) => stretchBy(records.rows(), ({ sequence }) => sequence, stretch),
    checkpoints: async (stretch) => stretchBy(checkpoints.rows(), ({ sequence }) => sequence, stretch),
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
