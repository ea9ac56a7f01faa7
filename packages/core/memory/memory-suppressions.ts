import type { Suppression, SuppressionStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memorySuppressions = (journal: Journal): SuppressionStore => {
  const suppressions = new Table<string, Suppression>(journal)
  return {
    find: async (address) => suppressions.get(address),
    add: async (address, suppression) => {
      if (!suppressions.get(address)) suppressions.set(address, suppression)
    },
  }
}
