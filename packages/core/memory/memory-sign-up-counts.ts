import type { SignUpCountStore, SignUpOutcome } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memorySignUpCounts = (journal: Journal): SignUpCountStore => {
  const counts = new Table<SignUpOutcome, number>(journal)
  return {
    count: async (outcome) => counts.get(outcome) ?? 0,
    add: async (outcome, count = 1) => counts.set(outcome, (counts.get(outcome) ?? 0) + count),
  }
}
