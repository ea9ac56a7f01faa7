import type { Clock, OutboxEntry, OutboxId, OutboxStore } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

interface Row extends OutboxEntry {
  readonly owner: string | undefined
  readonly leasedUntil: number
}

const entryOf = ({ owner: _owner, leasedUntil: _leasedUntil, ...entry }: Row): OutboxEntry => entry

export const memoryOutbox = (journal: Journal, clock: Clock): OutboxStore => {
  const rows = new Table<OutboxId, Row>(journal)
  let lastId = 0

  const free = ({ parkedAt, leasedUntil, notBefore }: Row): boolean =>
    parkedAt === undefined && leasedUntil <= clock.now() && notBefore <= clock.now()
  const longestDueFirst = (a: Row, b: Row): number => a.notBefore - b.notBefore || a.id - b.id
  const held = (id: OutboxId, owner: string): Row | undefined => {
    const row = rows.get(id)
    return row?.owner === owner ? row : undefined
  }
  const release = (row: Row, changes: Partial<Row>): void =>
    rows.set(row.id, { ...row, owner: undefined, leasedUntil: 0, ...changes })

  return {
    add: async (mail) => {
      const id = ++lastId
      const fresh = { attempts: 0, lastError: undefined, parkedAt: undefined, owner: undefined, leasedUntil: 0 }
      rows.set(id, { ...mail, ...fresh, id })
      return id
    },
    remove: async (id) => rows.delete(id),
    find: async (id) => {
      const row = rows.get(id)
      return row && entryOf(row)
    },
    list: async ({ parked, ...stretch }) => {
      const page = pageOf(rows, stretch, (row) => parked === undefined || parked === (row.parkedAt !== undefined))
      return { ...page, items: page.items.map(entryOf) }
    },
    health: async () => ({
      parked: rows.rows().some(({ parkedAt }) => parkedAt !== undefined),
      dueSince: rows.rows().filter(free).sort(longestDueFirst)[0]?.notBefore,
    }),
    depth: async () => {
      const parked = rows.rows().filter(({ parkedAt }) => parkedAt !== undefined).length
      return { waiting: rows.rows().length - parked, parked }
    },
    claim: async ({ owner, limit, leaseFor }) => {
      const due = rows
        .rows()
        .filter((row) => free(row) && row.owner !== owner)
        .sort(longestDueFirst)
        .slice(0, limit)
      return due.map((row) => {
        const claimed = { ...row, owner, leasedUntil: clock.now() + leaseFor, attempts: row.attempts + 1 }
        rows.set(row.id, claimed)
        return entryOf(claimed)
      })
    },
    renew: async (owner, leaseFor) => {
      const mine = rows.rows().filter((row) => row.owner === owner && row.leasedUntil > clock.now())
      for (const row of mine) rows.set(row.id, { ...row, leasedUntil: clock.now() + leaseFor })
    },
    settle: async (id, owner) => {
      const row = held(id, owner)
      if (row) rows.delete(id)
      return row !== undefined
    },
    postpone: async (id, owner, { notBefore, attempted, error }) => {
      const row = held(id, owner)
      if (!row) return
      release(row, { notBefore, attempts: row.attempts - (attempted ? 0 : 1), lastError: error ?? row.lastError })
    },
    park: async (id, owner, error) => {
      const row = held(id, owner)
      if (row) release(row, { parkedAt: clock.now(), lastError: error })
    },
    reschedule: async (beyond) => {
      const now = clock.now()
      const late = rows.rows().filter(({ parkedAt, notBefore }) => parkedAt === undefined && notBefore > now + beyond)
      for (const row of late) rows.set(row.id, { ...row, notBefore: now })
      return late.length
    },
    retry: async (id) => {
      const row = rows.get(id)
      if (row) rows.set(id, { ...row, notBefore: clock.now(), attempts: 0, parkedAt: undefined })
      return row !== undefined
    },
  }
}
