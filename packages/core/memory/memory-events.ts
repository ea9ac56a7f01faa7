import type { EventRecord, EventStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export const memoryEvents = (journal: Journal): EventStore => {
  const events = new Table<number, EventRecord>(journal)
  return {
    list: async (stretch) => pageOf(events, stretch),
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
