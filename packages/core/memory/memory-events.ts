import {
  type AuditRecord,
  type AuditSeal,
  type AuditStore,
  type EventRecord,
  type EventStore,
  type NumberStore,
  numbersOf,
  type Page,
  type SealedRecord,
  type Stretch,
} from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

/** By a number of their own. */
const stretchBy = <Row>(rows: readonly Row[], numberOf: (row: Row) => number, { after, limit }: Stretch): Page<Row> => {
  const found = rows.filter((row) => numberOf(row) > after).sort((a, b) => numberOf(a) - numberOf(b))
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? numberOf(last) : undefined }
}

type StoredEvent = Omit<EventRecord, 'position'> & { readonly position: number | undefined }

const hasPosition = (event: StoredEvent): event is EventRecord => event.position !== undefined

export const memoryEvents = (journal: Journal, numbers: Pick<NumberStore, 'add'>): EventStore => {
  const events = new Table<number, StoredEvent>(journal)
  let lastId = 0
  const numbered = () => events.rows().filter(hasPosition)
  const last = () => Math.max(0, ...numbered().map(({ position }) => position))
  return {
    list: async (stretch) => stretchBy(numbered(), ({ position }) => position, stretch),
    last: async () => last(),
    hasUnnumbered: async () => !events.rows().every(hasPosition),
    append: async (...all) => {
      for (const { because, ...event } of all) events.set(++lastId, { ...event, position: undefined })
      await numbers.add(all.flatMap(numbersOf))
    },
    number: async (limit) => {
      const chosen = events
        .entries()
        .filter(([, event]) => !hasPosition(event))
        .slice(0, limit)
      let position = last()
      for (const [id, event] of chosen) events.set(id, { ...event, position: ++position })
      return chosen.length
    },
    prune: async (before, limit) => {
      const old = stretchBy(numbered(), ({ position }) => position, { after: 0, limit: limit + 1 }).items
      const newest = last()
      const end = old.findIndex(({ at, position }) => at >= before || position === newest)
      const pruned = new Set(old.slice(0, end < 0 ? limit : Math.min(end, limit)).map(({ position }) => position))
      return events.prune(({ position }) => position !== undefined && pruned.has(position))
    },
  }
}

const isSealed = (record: AuditRecord): record is SealedRecord => record.sequence !== undefined

export const memoryAudit = (journal: Journal): AuditStore => {
  const records = new Table<number, AuditRecord>(journal)
  const seals = new Table<number, AuditSeal>(journal)
  const heads = new Table<'head', AuditSeal>(journal)
  let lastId = 0
  const newest = () => seals.rows().at(-1)
  return {
    list: async (stretch) => stretchBy(records.rows().filter(isSealed), ({ sequence }) => sequence, stretch),
    unsealed: async (stretch) =>
      stretchBy(
        records.rows().filter((record) => !isSealed(record)),
        ({ id }) => id,
        stretch,
      ),
    find: async (id) => records.get(id),
    seals: async (stretch) => stretchBy(seals.rows(), ({ last }) => last, stretch),
    head: async () => heads.get('head'),
    append: async (entry) => {
      const id = ++lastId
      records.set(id, { ...entry, id, sequence: undefined })
      return id
    },
    newestSeal: async () => newest(),
    seal: async (seal, ids) => {
      if (seal.first !== (newest()?.last ?? 0) + 1)
        throw new RangeError(`record ${seal.first} is not the next to be sealed`)
      for (const [n, id] of ids.entries()) {
        const record = records.get(id)
        if (record === undefined || isSealed(record)) throw new RangeError(`record ${id} cannot be sealed`)
        records.set(id, { ...record, sequence: seal.first + n })
      }
      seals.set(seal.last, seal)
      heads.set('head', seal)
    },
  }
}
