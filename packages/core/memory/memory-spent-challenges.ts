import type { SpentChallengeStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memorySpentChallenges = (journal: Journal): SpentChallengeStore => {
  const spent = new Table<string, { readonly id: string; readonly expiresAt: number }>(journal)
  return {
    spend: async (id, expiresAt) => {
      if (spent.get(id)) return false
      spent.set(id, { id, expiresAt })
      return true
    },
    prune: async (before, limit) => {
      const old = spent
        .rows()
        .filter(({ expiresAt }) => expiresAt < before)
        .slice(0, limit)
      for (const { id } of old) spent.delete(id)
      return old.length
    },
  }
}
