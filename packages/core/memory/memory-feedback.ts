import {
  type DeliverabilityRecord,
  type Instant,
  PREFIX_DIGITS,
  type Stores,
  type WaitingFeedbackRecord,
} from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryFeedback = (journal: Journal): Pick<Stores, 'deliverability' | 'feedback'> => {
  const known = new Table<string, DeliverabilityRecord>(journal)
  const seen = new Table<string, Instant>(journal)
  const counts = new Table<string, { readonly day: number; readonly addresses: number }>(journal)
  const waiting = new Table<number, WaitingFeedbackRecord>(journal)
  const countKey = (caller: string, day: number) => `${day} ${caller}`
  let lastId = 0

  return {
    deliverability: {
      find: async (address) => {
        const found = known.get(address)
        if (found === undefined) return undefined
        const { address: _, ...deliverability } = found
        return deliverability
      },
      findMany: async (addresses) =>
        new Map([...known.pick(addresses)].map(([address, { address: _, ...one }]) => [address, one])),
      undeliverablePrefixes: async () => ({
        prefixes: known
          .rows()
          .filter(({ state }) => state === 'undeliverable')
          .map(({ address }) => address.slice(0, PREFIX_DIGITS))
          .join(''),
        next: undefined,
      }),
      list: async ({ state, ...stretch }) => known.page(stretch, (one) => (state ?? one.state) === one.state),
      put: async (address, deliverability) => known.set(address, { address, ...deliverability }),
      erase: async (address) => known.delete(address),
      expired: async (before, limit) =>
        known
          .rows()
          .filter(({ expiresAt }) => expiresAt < before)
          .sort((a, b) => a.expiresAt - b.expiresAt)
          .slice(0, limit),
    },
    feedback: {
      list: async (stretch) => waiting.page(stretch),
      ofAddress: async (address) => waiting.rows().filter((one) => one.address === address),
      find: async (id) => waiting.get(id),
      counted: async (caller, day) => counts.get(countKey(caller, day))?.addresses ?? 0,
      see: async (id, expiresAt) => {
        if (seen.get(id) !== undefined) return false
        seen.set(id, expiresAt)
        return true
      },
      count: async (caller, day, addresses) => {
        const key = countKey(caller, day)
        counts.set(key, { day, addresses: (counts.get(key)?.addresses ?? 0) + addresses })
      },
      add: async (one) => {
        const isSame = ({ address, caller, kind }: WaitingFeedbackRecord) =>
          address === one.address && caller === one.caller && kind === one.kind
        if (waiting.rows().some(isSame)) return
        const id = ++lastId
        waiting.set(id, { ...one, id })
      },
      remove: async (id) => waiting.take(id),
      nameFor: async (address, subscription) => {
        for (const one of waiting.rows()) if (one.address === address) waiting.set(one.id, { ...one, subscription })
      },
      removeOf: async (address) => void waiting.prune((one) => one.address === address),
      removeBounces: async (addresses) =>
        void waiting.prune(({ kind, address }) => kind === 'bounce' && addresses.includes(address)),
      pruneSeen: async (before, limit) => seen.prune((expiresAt) => expiresAt < before, limit),
      pruneCounts: async (before, limit) => counts.prune(({ day }) => day < before, limit),
      pruneWaiting: async (before, limit) => waiting.prune(({ since }) => since < before, limit),
    },
  }
}
