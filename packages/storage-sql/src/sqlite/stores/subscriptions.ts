import type { Evidence, SubscriptionIdentity, SubscriptionReader, SubscriptionStore } from '@rollcall/core'
import type { Methods } from '../../tables/methods.ts'
import {
  COUNT_CONFIRMED,
  EXPIRED_SUBSCRIPTIONS,
  FIND_SUBSCRIPTION,
  findManySubscriptions,
  LEDGER,
  NEW_SUBSCRIPTION,
  RECIPIENTS,
  STATUS_CODE,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  subscriptionPage,
  subscriptionRow,
  toSubscription,
  WITH_FIELDS,
} from '../../tables/subscriptions.ts'
import { valuesOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import { type Connection, inSnapshot } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'
import { inserter } from './inserter.ts'
import type { RowCache } from './row-cache.ts'
import { sqliteReader, sqliteStore } from './run-methods.ts'

// `id` never changes.
const INDEXED = ['id', 'feed', 'status', 'expires_at']
const IN_NO_INDEX = NEW_SUBSCRIPTION.filter((column) => !INDEXED.includes(column))
const IN_NO_INDEX_WITH_FIELDS = [...IN_NO_INDEX, 'fields']

interface FoundRow {
  readonly id: number
  readonly row: SubscriptionRow | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly gaveWay?: string
}

/** Looks for where a subscription is, or would be. */
const finder = (connection: Connection, keptId: (fingerprint: string) => number | undefined) => {
  const byId = connection.prepare<[number], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ?`,
  )
  const giveWay = (identity: SubscriptionIdentity): FoundRow => {
    for (let counter = 1; ; counter++) {
      const id = identity.candidate(counter)
      const row = byId.get(id)
      if (row === undefined || isOf(identity, row)) return { id, row, gaveWay: identity.fingerprint }
    }
  }
  return {
    byId: (id: number) => byId.get(id),
    // Nearly every identity has its first candidate: that one is looked at before the memory of those that gave way.
    byIdentity: (identity: SubscriptionIdentity): FoundRow => {
      const id = identity.candidate(0)
      const row = byId.get(id)
      if (row !== undefined && isOf(identity, row)) return { id, row }
      const own = keptId(identity.fingerprint)
      if (own !== undefined) return { id: own, row: byId.get(own) }
      return row === undefined ? { id, row } : giveWay(identity)
    },
  }
}

/** Finds the id that an identity keeps from then on, where another identity had its first one. */
const displacedIds = (connection: Connection): ((fingerprint: string) => number | undefined) => {
  const find = connection
    .prepare<[string], number>('SELECT id FROM displaced_subscription_id WHERE fingerprint = ?')
    .pluck()
  return (fingerprint) => find.get(fingerprint)
}

/** The same for the writer. As long as the table is empty, which is nearly always, nothing is looked up. */
const rememberedDisplacedIds = (writer: Writer) => {
  const { connection } = writer
  const find = displacedIds(connection)
  const any = connection.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM displaced_subscription_id)').pluck()
  const insert = connection.prepare(
    'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  let empty = false
  let generation = -1
  return {
    find: (fingerprint: string): number | undefined => {
      if (generation !== writer.generation) {
        empty = any.get() === 0
        generation = writer.generation
      }
      return empty ? undefined : find(fingerprint)
    },
    keep: (fingerprint: string, id: number): void => {
      empty = false
      writer.write(insert, fingerprint, id)
    },
  }
}

const CODES = Object.values(STATUS_CODE)
// Each part comes in order, so that SQLite merges them as it goes, and stops at the limit.
const OF_FEED = {
  text: `${CODES.map(
    (code) => `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE feed = +? AND status = '${code}' AND seq > +?`,
  ).join(' UNION ALL ')} ORDER BY seq LIMIT +?`,
  values: (feed: string, after: number, most: number) => [...CODES.flatMap(() => [feed, after]), most],
}

export const sqliteSubscriptionReader = (connection: Connection): Synchronous<SubscriptionReader> => {
  const { byId, byIdentity } = finder(connection, displacedIds(connection))
  const together = inSnapshot(connection)
  const ledger = sqliteReader(LEDGER, connection)
  const toEvidence = (row: SubscriptionRow): Evidence => ({
    subscription: toSubscription(row),
    consents: ledger.list(row.seq),
  })
  const methods: Methods<Omit<SubscriptionReader, 'findEvidence' | 'locate'>> = {
    countConfirmed: COUNT_CONFIRMED,
    find: FIND_SUBSCRIPTION,
    findMany: findManySubscriptions('SELECT value FROM json_each(?)'),
    ...RECIPIENTS,
    list: subscriptionPage(SUBSCRIPTION_COLUMNS, toSubscription, OF_FEED),
    listEvidence: subscriptionPage(SUBSCRIPTION_COLUMNS, toEvidence, OF_FEED),
  }
  const reader = sqliteReader(methods, connection)
  return {
    ...reader,
    findEvidence: (id) =>
      together(() => {
        const row = byId(id)
        return row && toEvidence(row)
      }),
    locate: (identity) => {
      const { id, row } = byIdentity(identity)
      return { id, subscription: row && toSubscription(row) }
    },
    listEvidence: (filter) => together(() => reader.listEvidence(filter)),
  }
}

export const sqliteSubscriptionStore = (writer: Writer, cache: RowCache): Synchronous<SubscriptionStore> => {
  const { connection } = writer
  const displaced = rememberedDisplacedIds(writer)
  const find = finder(connection, (fingerprint) => displaced.find(fingerprint))
  const insert = inserter(writer, 'subscription', WITH_FIELDS)
  const update = (columns: readonly string[]) =>
    connection.prepare(`UPDATE subscription SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE seq = ?`)
  const updateInPlace = update(IN_NO_INDEX)
  const updateInPlaceWithFields = update(IN_NO_INDEX_WITH_FIELDS)
  // SQLite writes every index that a column named here is in, whether or not its value changes.
  const updateWithIndexes = connection.prepare(
    'UPDATE subscription SET feed = ?, status = ?, expires_at = ? WHERE seq = ?',
  )
  const erase = connection.prepare('DELETE FROM subscription WHERE id = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)

  return {
    ...sqliteSubscriptionReader(connection),
    ...sqliteStore(EXPIRED_SUBSCRIPTIONS, writer),
    locate: (identity) => {
      const { id, row, gaveWay } = find.byIdentity(identity)
      cache.note(id, row, gaveWay)
      return { id, subscription: row && toSubscription(row) }
    },
    put: (subscription) => {
      const row = subscriptionRow(subscription)
      const { id, feed, status, expires_at } = row
      const place = cache.of(id)
      const hasFields = row.fields !== null
      if (place.seq === undefined) {
        place.seq = Number(insert(valuesOf(WITH_FIELDS, row)).lastInsertRowid)
        place.consents = 0
        if (place.displaced !== undefined) displaced.keep(place.displaced, id)
      } else {
        const { indexed } = place
        if (feed !== indexed?.feed || status !== indexed.status || expires_at !== indexed.expires_at)
          writer.write(updateWithIndexes, feed, status, expires_at, place.seq)
        if (hasFields || (indexed?.fields ?? null) !== null)
          writer.write(updateInPlaceWithFields, ...valuesOf(IN_NO_INDEX_WITH_FIELDS, row), place.seq)
        else writer.write(updateInPlace, ...valuesOf(IN_NO_INDEX, row), place.seq)
      }
      place.indexed = row
    },
    erase: (id) => {
      if (writer.write(erase, id).changes > 0) writer.write(noteErasure)
      cache.forget(id)
    },
  }
}

const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: SubscriptionRow): boolean =>
  row.address_key === addressKey && row.feed === feed
