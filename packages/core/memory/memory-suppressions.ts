import type { SuppressionRecord, SuppressionStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export const memorySuppressions = (journal: Journal): SuppressionStore => {
  const suppressions = new Table<string, SuppressionRecord>(journal)
  return {
    find: async (address) => {
      const found = suppressions.get(address)
      return found && { cause: found.cause, since: found.since }
    },
    list: async (stretch) => pageOf(suppressions, stretch),
    add: async (address, { cause, since }) => {
      const known = suppressions.get(address)
      if (!known || (cause === 'never-again' && known.cause !== cause))
        suppressions.set(address, { address, cause, since })
    },
    remove: async (address) => {
      const found = suppressions.get(address) !== undefined
      suppressions.delete(address)
      return found
    },
  }
}
