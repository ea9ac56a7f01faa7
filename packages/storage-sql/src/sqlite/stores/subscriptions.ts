import type {
  Evidence,
  Subscription,
  SubscriptionIdentity,
  SubscriptionReader,
  SubscriptionStore,
} from '@rollcall/core'
import { LEDGER } from '../../tables/consents.ts'
import type { Methods } from '../../tables/methods.ts'
import { subscriptionPage } from '../../tables/subscription-page.ts'
import {
  type Claimed,
  DISPLACED,
  FIND_SUBSCRIPTION,
  FIND_SUBSCRIPTIONS,
  isTaken,
  NEW_SUBSCRIPTION,
  RECIPIENTS,
  SUBSCRIPTION_COLUMNS,
  SUBSCRIPTION_STORE,
  SUBSCRIPTIONS_OF_ADDRESS,
  type SubscriptionRow,
  subscriptionRow,
  toSubscription,
} from '../../tables/subscriptions.ts'
import { insertInto, valuesOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import { type Connection, inSnapshot } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { sqliteReader, sqliteStore } from './run-methods.ts'

/** What indexes are made of, and may change. */
const INDEXED = ['feed', 'status', 'expires_at'] as const
/** The same, but never change: an id is made of the feed and the address. */
const FIXED = ['id', 'address']
const IN_NO_INDEX = NEW_SUBSCRIPTION.filter((column) => ![...INDEXED, ...FIXED].includes(column))

type IndexedColumns = Pick<SubscriptionRow, 'seq' | (typeof INDEXED)[number]>

const setting = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(', ')

interface FoundRow {
  readonly id: number
  readonly row: SubscriptionRow | undefined
  /** Set if another identity holds the id that it would have had. */
  readonly gaveWay?: string
}

/** Looks for where a subscription is, or would be. */
const finder = (connection: Connection, keptId: (fingerprint: string) => number | undefined) => {
  const byId = connection.prepare<[number], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ?`,
  )
  const giveWay = (identity: SubscriptionIdentity, claimed: Claimed): FoundRow => {
    for (let counter = 1; ; counter++) {
      const id = identity.candidate(counter)
      const row = byId.get(id)
      if (!isTaken(id, row, identity, claimed)) return { id, row, gaveWay: identity.fingerprint }
    }
  }
  return {
    byId: (id: number) => byId.get(id),
    // Nearly every identity has its first candidate: that one is looked at before the memory of those that gave way.
    byIdentity: (identity: SubscriptionIdentity, claimed: Claimed = new Map()): FoundRow => {
      const id = identity.candidate(0)
      const row = byId.get(id)
      const isFree = !isTaken(id, row, identity, claimed)
      if (row !== undefined && isFree) return { id, row }
      const own = keptId(identity.fingerprint)
      if (own !== undefined) return { id: own, row: byId.get(own) }
      return isFree ? { id, row } : giveWay(identity, claimed)
    },
  }
}

/** Finds the id that an identity keeps from then on, if another identity had its first one. */
const displacedIds = (connection: Connection): ((fingerprint: string) => number | undefined) => {
  const find = connection
    .prepare<[string], number>('SELECT id FROM displaced_subscription_id WHERE fingerprint = ?')
    .pluck()
  return (fingerprint) => find.get(fingerprint)
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
    find: FIND_SUBSCRIPTION,
    displaced: DISPLACED,
    findMany: FIND_SUBSCRIPTIONS,
    ofAddress: SUBSCRIPTIONS_OF_ADDRESS,
    ...RECIPIENTS,
    list: subscriptionPage('sqlite', SUBSCRIPTION_COLUMNS, toSubscription),
    listEvidence: subscriptionPage('sqlite', SUBSCRIPTION_COLUMNS, toEvidence),
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

export const sqliteSubscriptionStore = (writer: Writer): Synchronous<SubscriptionStore> => {
  const { connection } = writer
  const find = finder(connection, displacedIds(connection))
  const indexed = connection.prepare<[number], IndexedColumns>(
    'SELECT seq, feed, status, expires_at FROM subscription WHERE id = ?',
  )
  const insert = connection.prepare(insertInto('subscription', NEW_SUBSCRIPTION))
  const updateInPlace = connection.prepare(`UPDATE subscription SET ${setting(IN_NO_INDEX)} WHERE seq = ?`)
  // SQLite writes every index that a column named here is in, whether or not its value changes.
  const updateWithIndexes = connection.prepare(`UPDATE subscription SET ${setting(INDEXED)} WHERE seq = ?`)
  const keepId = connection.prepare(
    'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  /** The fingerprints of those whose first id was another's when they were last located. Next to always empty. */
  const displaced = new Map<number, string>()

  const locate = (identity: SubscriptionIdentity, claimed?: Claimed) => {
    const { id, row, gaveWay } = find.byIdentity(identity, claimed)
    if (gaveWay === undefined) displaced.delete(id)
    else displaced.set(id, gaveWay)
    return { id, subscription: row && toSubscription(row) }
  }
  const put = (subscription: Subscription): void => {
    const row = subscriptionRow(subscription)
    const known = indexed.get(row.id)
    if (known === undefined) {
      writer.write(insert, ...valuesOf(NEW_SUBSCRIPTION, row))
      const fingerprint = displaced.get(row.id)
      if (fingerprint !== undefined) writer.write(keepId, fingerprint, row.id)
      return
    }
    if (row.feed !== known.feed || row.status !== known.status || row.expires_at !== known.expires_at)
      writer.write(updateWithIndexes, ...valuesOf(INDEXED, row), known.seq)
    writer.write(updateInPlace, ...valuesOf(IN_NO_INDEX, row), known.seq)
  }

  return {
    ...sqliteSubscriptionReader(connection),
    ...sqliteStore(SUBSCRIPTION_STORE, writer),
    locate: (identity) => locate(identity),
    locateMany: (identities) => {
      const claimed = new Map<number, string>()
      return identities.map((identity) => {
        const located = locate(identity, claimed)
        claimed.set(located.id, identity.fingerprint)
        return located
      })
    },
    put: (...subscriptions) => subscriptions.forEach(put),
  }
}
