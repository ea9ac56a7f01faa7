import type { Claim, Clock, LeasedEntries, OutboxEntry, Stretch, WebhookDeliveryStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

type Leasable = Pick<OutboxEntry, 'id' | 'notBefore' | 'attempts' | 'lastError' | 'parkedAt'>
type LeaseStore<Entry> = Pick<WebhookDeliveryStore, keyof LeasedEntries | 'depth' | 'underWay'> & {
  find(id: number): Promise<Entry | undefined>
}

/** An entry, and the lease that it is under. */
interface Row<Entry> {
  readonly entry: Entry
  readonly owner: string | undefined
  readonly leasedUntil: number
}

const UNLEASED = { owner: undefined, leasedUntil: 0 }
export const UNTRIED = { attempts: 0, lastError: undefined, parkedAt: undefined }
export const isParked = ({ parkedAt }: Pick<OutboxEntry, 'parkedAt'>): boolean => parkedAt !== undefined

/** Entries that are worked on under leases; `order` is that of those which are due at the same time. */
export const leasedTable = <Entry extends Leasable>(journal: Journal, clock: Clock, order: (one: Entry) => number) => {
  const rows = new Table<number, Row<Entry>>(journal)
  let lastId = 0

  const entries = (): Entry[] => rows.rows().map(({ entry }) => entry)
  const change = (id: number, changes: Partial<Leasable> | Partial<Entry>, lease?: typeof UNLEASED): boolean => {
    const row = rows.get(id)
    if (row) rows.set(id, { ...row, ...lease, entry: { ...row.entry, ...changes } })
    return row !== undefined
  }
  const held = (id: number, owner: string): Entry | undefined => {
    const row = rows.get(id)
    return row?.owner === owner ? row.entry : undefined
  }
  const isFree = ({ entry, leasedUntil }: Row<Entry>): boolean =>
    !isParked(entry) && Math.max(leasedUntil, entry.notBefore) <= clock.now()
  const due = (matches: (row: Row<Entry>) => boolean = () => true): Entry[] => {
    const found = rows.rows().filter((row) => isFree(row) && matches(row))
    return found.map(({ entry }) => entry).sort((a, b) => a.notBefore - b.notBefore || order(a) - order(b))
  }

  const store: LeaseStore<Entry> = {
    find: async (id) => rows.get(id)?.entry,
    depth: async () => {
      const parked = entries().filter(isParked).length
      return { waiting: entries().length - parked, parked }
    },
    underWay: async () => rows.rows().filter(({ leasedUntil }) => leasedUntil > clock.now()).length,
    renew: async (owner, leaseFor) => {
      const now = clock.now()
      const mine = rows.rows().filter((row) => row.owner === owner && row.leasedUntil > now)
      for (const row of mine) rows.set(row.entry.id, { ...row, leasedUntil: now + leaseFor })
    },
    giveBack: async (owner, all) => {
      for (const { id, notBefore, attempted, error } of all) {
        const entry = held(id, owner)
        if (!entry) continue
        const { attempts, lastError } = entry
        const after = { attempts: Math.max(0, attempts - (attempted ? 0 : 1)), lastError: error ?? lastError }
        change(id, { ...after, ...(notBefore === undefined ? { parkedAt: clock.now() } : { notBefore }) }, UNLEASED)
      }
    },
    retry: async (id) => change(id, { notBefore: clock.now(), attempts: 0, parkedAt: undefined }),
  }

  return {
    store,
    find: (id: number): Entry | undefined => rows.get(id)?.entry,
    /** The same if the owner has its lease. */
    held,
    /** Whatever their leases, oldest first. */
    entries,
    /** Those that are due and under no lease, longest due first. */
    due,
    change,
    add: (make: (id: number) => Entry): number => {
      const id = ++lastId
      rows.set(id, { entry: make(id), ...UNLEASED })
      return id
    },
    delete: (id: number) => rows.delete(id),
    prune: (matches: (entry: Entry) => boolean, limit?: number) => rows.prune(({ entry }) => matches(entry), limit),
    page: ({ parked, ...stretch }: Stretch & { parked?: boolean | undefined }, matches?: (one: Entry) => boolean) => {
      const isWanted = (one: Entry) => (parked ?? isParked(one)) === isParked(one) && (matches?.(one) ?? true)
      const { items, next } = rows.page(stretch, ({ entry }) => isWanted(entry))
      return { items: items.map(({ entry }) => entry), next }
    },
    claim: ({ owner, limit, leaseFor }: Claim, matches: (one: Entry) => boolean = () => true): Entry[] => {
      const claimable = due((row) => row.owner !== owner && matches(row.entry))
      return claimable.slice(0, limit).map((entry) => {
        const claimed = { ...entry, attempts: entry.attempts + 1 }
        rows.set(entry.id, { entry: claimed, owner, leasedUntil: clock.now() + leaseFor })
        return claimed
      })
    },
  }
}
