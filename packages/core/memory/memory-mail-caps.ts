import type { MailCapStore, MailSlot } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryMailCaps = (journal: Journal): MailCapStore => {
  const caps = new Table<string, { address: string; slots: readonly MailSlot[] }>(journal)
  return {
    slots: async (address) => caps.get(address)?.slots ?? [],
    put: async (address, slots) => {
      if (slots.length > 0) caps.set(address, { address, slots })
      else caps.delete(address)
    },
    prune: async (before, limit) => {
      const stale = caps.rows().filter(({ slots }) => slots.every(({ at }) => at < before))
      for (const { address } of stale.slice(0, limit)) caps.delete(address)
      return Math.min(stale.length, limit)
    },
  }
}
