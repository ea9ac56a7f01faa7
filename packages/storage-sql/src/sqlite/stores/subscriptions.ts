import type {
  Evidence,
  Page,
  Subscription,
  SubscriptionFilter,
  SubscriptionIdentity,
  SubscriptionReader,
  SubscriptionStore,
} from '@rollcall/core'
import type Database from 'better-sqlite3'
import {
  CONSENT_COLUMNS,
  type ConsentRow,
  NEW_SUBSCRIPTION,
  STATUS_CODE,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  subscriptionRow,
  toConsentRecord,
  toSubscription,
} from '../../tables/subscriptions.ts'
import { insertInto, pageOf, valuesOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import { type Connection, inSnapshot } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer, WriteStatement } from '../writer.ts'
import type { RowCache } from './row-cache.ts'

// `id` never changes.
const IN_NO_INDEX = NEW_SUBSCRIPTION.filter((column) => !['id', 'feed', 'status', 'expires_at'].includes(column))

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
class DisplacedIds {
  readonly #writer: Writer
  readonly #find: (fingerprint: string) => number | undefined
  readonly #any: Database.Statement<[], number>
  readonly #insert: WriteStatement
  #none = false
  #generation = -1

  constructor(writer: Writer) {
    this.#writer = writer
    this.#find = displacedIds(writer.connection)
    this.#any = writer.connection.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM displaced_subscription_id)').pluck()
    this.#insert = writer.connection.prepare(
      'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    )
  }

  find(fingerprint: string): number | undefined {
    if (this.#generation !== this.#writer.generation) {
      this.#none = this.#any.get() === 0
      this.#generation = this.#writer.generation
    }
    return this.#none ? undefined : this.#find(fingerprint)
  }

  keep(fingerprint: string, id: number): void {
    this.#none = false
    this.#writer.write(this.#insert, fingerprint, id)
  }
}

/** Stretches of subscriptions, each filter by an index that has its rows in the order of the list. */
interface SubscriptionList {
  page(filter: SubscriptionFilter): Page<Subscription>
  evidence(filter: SubscriptionFilter): Page<Evidence>
  /** What the row found by `find` proves, found at the same moment. */
  evidenceOf(find: () => SubscriptionRow | undefined): Evidence | undefined
}

const sqliteSubscriptionList = (connection: Connection): SubscriptionList => {
  const rowsAfter = rowsOf(connection)
  const together = inSnapshot(connection)
  const consents = connection.prepare<[number], ConsentRow>(
    `SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = +? ORDER BY n`,
  )
  const toEvidence = (row: SubscriptionRow): Evidence => ({
    subscription: toSubscription(row),
    consents: consents.all(row.seq).map(toConsentRecord),
  })

  const by = ({ seq }: SubscriptionRow) => seq
  const page = <Item>(filter: SubscriptionFilter, toItem: (row: SubscriptionRow) => Item): Page<Item> =>
    pageOf(rowsAfter({ ...filter, limit: filter.limit + 1 }), { limit: filter.limit, by }, toItem)
  return {
    page: (filter) => page(filter, toSubscription),
    evidence: (filter) => together(() => page(filter, toEvidence)),
    evidenceOf: (find) =>
      together(() => {
        const row = find()
        return row && toEvidence(row)
      }),
  }
}

const rowsOf = (connection: Connection): ((filter: SubscriptionFilter) => SubscriptionRow[]) => {
  const select = (condition: string): string =>
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE ${condition} seq > +?`
  const prepare = <Parameters extends unknown[]>(query: string) =>
    connection.prepare<Parameters, SubscriptionRow>(`${query} ORDER BY seq LIMIT +?`)
  const all = prepare<[number, number]>(select(''))
  const withStatus = prepare<[string, number, number]>(select('status = +? AND'))
  const ofFeedWithStatus = prepare<[string, string, number, number]>(select('feed = +? AND status = +? AND'))
  // Each part comes in order, so that SQLite merges them as it goes, and stops at the limit.
  const ofFeed = prepare<[string, number, string, number, string, number, number]>(
    Object.values(STATUS_CODE)
      .map((code) => select(`feed = +? AND status = '${code}' AND`))
      .join(' UNION ALL '),
  )
  return ({ feed, status, after, limit }) => {
    if (feed !== undefined && status !== undefined) return ofFeedWithStatus.all(feed, STATUS_CODE[status], after, limit)
    if (feed !== undefined) return ofFeed.all(feed, after, feed, after, feed, after, limit)
    if (status !== undefined) return withStatus.all(STATUS_CODE[status], after, limit)
    return all.all(after, limit)
  }
}

export const sqliteSubscriptionReader = (connection: Connection): Synchronous<SubscriptionReader> => {
  const find = finder(connection, displacedIds(connection))
  const { page, evidence, evidenceOf } = sqliteSubscriptionList(connection)
  return {
    find: (id) => {
      const row = find.byId(id)
      return row && toSubscription(row)
    },
    findEvidence: (id) => evidenceOf(() => find.byId(id)),
    locate: (identity) => {
      const { id, row } = find.byIdentity(identity)
      return { id, subscription: row && toSubscription(row) }
    },
    list: page,
    listEvidence: evidence,
  }
}

export const sqliteSubscriptionStore = (writer: Writer, cache: RowCache): Synchronous<SubscriptionStore> => {
  const { connection } = writer
  const displaced = new DisplacedIds(writer)
  const find = finder(connection, (fingerprint) => displaced.find(fingerprint))
  const insert = connection.prepare(insertInto('subscription', NEW_SUBSCRIPTION))
  const updateInPlace = connection.prepare(
    `UPDATE subscription SET ${IN_NO_INDEX.map((column) => `${column} = ?`).join(', ')} WHERE seq = ?`,
  )
  // SQLite writes every index that a column named here is in, whether or not its value changes.
  const updateWithIndexes = connection.prepare(
    'UPDATE subscription SET feed = ?, status = ?, expires_at = ? WHERE seq = ?',
  )
  const erase = connection.prepare('DELETE FROM subscription WHERE id = ?')
  const noteErasure = connection.prepare(NOTE_ERASURE)
  const expired = connection.prepare<[number, number], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription
      WHERE status = 'p' AND expires_at <= ? ORDER BY expires_at, seq LIMIT +?`,
  )

  return {
    ...sqliteSubscriptionReader(connection),
    locate: (identity) => {
      const { id, row, gaveWay } = find.byIdentity(identity)
      cache.note(id, row, gaveWay)
      return { id, subscription: row && toSubscription(row) }
    },
    put: (subscription) => {
      const row = subscriptionRow(subscription)
      const { id, feed, status, expires_at } = row
      const place = cache.of(id)
      if (place.seq === undefined) {
        const { lastInsertRowid } = writer.write(insert, ...valuesOf(NEW_SUBSCRIPTION, row))
        place.seq = Number(lastInsertRowid)
        place.consents = 0
        if (place.displaced !== undefined) displaced.keep(place.displaced, id)
      } else {
        const { indexed } = place
        if (feed !== indexed?.feed || status !== indexed.status || expires_at !== indexed.expires_at)
          writer.write(updateWithIndexes, feed, status, expires_at, place.seq)
        writer.write(updateInPlace, ...valuesOf(IN_NO_INDEX, row), place.seq)
      }
      place.indexed = row
    },
    erase: (id) => {
      if (writer.write(erase, id).changes > 0) writer.write(noteErasure)
      cache.forget(id)
    },
    expired: (now, limit) => expired.all(now, limit).map((row) => toSubscription(row)),
  }
}

const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: SubscriptionRow): boolean =>
  row.address_key === addressKey && row.feed === feed
