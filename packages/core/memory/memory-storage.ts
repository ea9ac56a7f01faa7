import {
  type Clock,
  type OwnedTombstone,
  type Readers,
  type Stores,
  Unavailable,
  type UnitOfWork,
} from '../src/index.ts'
import { Journal, Table } from './journal.ts'
import { memoryAccessTokenStore } from './memory-access-token-store.ts'
import { memoryConsole } from './memory-console.ts'
import { memoryAudit, memoryEvents } from './memory-events.ts'
import { memoryFeedback } from './memory-feedback.ts'
import { memoryMoves } from './memory-moves.ts'
import { memoryNumbers } from './memory-numbers.ts'
import { memoryOutbox } from './memory-outbox.ts'
import { memoryRequests } from './memory-requests.ts'
import { memorySignUps, memorySubscriptions } from './memory-subscriptions.ts'
import { memoryUsers } from './memory-users.ts'
import { memoryWebhooks } from './memory-webhooks.ts'

/** Every store in memory, with units of work that are all or nothing. */
export interface MemoryStorage {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  /** Afterwards everything is `Unavailable`. */
  close(): Promise<void>
}

export const openMemoryStorage = (clock: Clock): MemoryStorage => {
  const journal = new Journal()
  const { numbers, replaced } = memoryNumbers(journal)
  const events = memoryEvents(journal, numbers)
  const tombstones = new Table<string, OwnedTombstone>(journal)
  const isDeleted = (subject: string): boolean => tombstones.get(subject) !== undefined
  const { accessTokens, isRevoked } = memoryAccessTokenStore(journal)
  const stores: Stores = {
    accessTokens,
    audit: memoryAudit(journal),
    events,
    numbers,
    ...memoryConsole(journal, isDeleted),
    ...memoryFeedback(journal),
    ...memoryMoves(journal),
    ...memoryOutbox(journal, clock),
    ...memoryRequests(journal),
    ...memorySignUps(journal),
    ...memorySubscriptions(journal, replaced),
    ...memoryUsers(journal, tombstones, isRevoked),
    ...memoryWebhooks(journal, clock, events),
  }
  let last: Promise<unknown> = Promise.resolve()
  let open = true

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => {
      if (!open) throw new Unavailable()
      return work()
    })
    last = turn.catch(() => undefined)
    return turn
  }
  const run = <T>(work: (stores: Stores) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      try {
        const result = await work(stores)
        journal.forget()
        return result
      } catch (error) {
        journal.rollBack()
        throw error
      }
    })
  // Readers wait for the unit that runs: so they see what is committed, and nothing else.
  const reader = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        return typeof method === 'function'
          ? (...args: unknown[]) => inTurn(async () => method.apply(target, args))
          : method
      },
    })

  return {
    unitOfWork: { run },
    readers: Object.fromEntries(
      Object.entries(stores).map(([name, store]) => [name, reader(store)]),
    ) as unknown as Readers,
    close: async () => {
      await last
      open = false
    },
  }
}
