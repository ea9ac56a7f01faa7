import { randomBytes } from 'node:crypto'
import {
  type AddressHash,
  endSubscription,
  eraseSubscription,
  type Instant,
  NOTHING_ERASED,
  type Stores,
  type UserId,
} from '@rollcall/core'
import type { Connection } from '../connection.ts'
import { sqliteStores } from '../stores/index.ts'
import { Writer } from '../writer.ts'
import { forgetRequests } from './withdrawn-requests.ts'

/** What people and operators took back after a backup was made. */
export interface Withdrawals {
  /** Ids of users who were deleted, and when. */
  readonly users: ReadonlyMap<string, Instant>
  /** Ids of users who were suspended and not resumed, and when. */
  readonly suspended: ReadonlyMap<string, Instant>
  /** Ids of subscriptions that were erased. */
  readonly erased: ReadonlySet<number>
  /** Ids of subscriptions that were ended and not begun again, and when. */
  readonly ended: ReadonlyMap<number, Instant>
}

/** How much of it a backup still had. */
export interface Reapplied {
  readonly users: number
  readonly erased: number
  readonly ended: number
  readonly suppressions: number
}

export const NOTHING_WITHDRAWN: Withdrawals = {
  users: new Map(),
  suspended: new Map(),
  erased: new Set(),
  ended: new Map(),
}

/** A copy of a backup in the transaction that brings it up to date. */
export interface OpenDraft {
  readonly writer: Writer
  readonly stores: Stores
}

export const openDraft = (connection: Connection): OpenDraft => {
  const writer = new Writer(connection)
  const clock = { now: () => Date.now() }
  return { writer, stores: sqliteStores(writer, clock, async (call, ...parameters) => call(...parameters)) }
}

/** So many are taken out before the writer forgets how to undo that: it takes memory, and a draft is undone as a whole. */
const BATCH = 1_000

/** What is known of these addresses, if no subscription of them is left. */
const FORGOTTEN = ['deliverability', 'waiting_feedback'].map(
  (table) => `DELETE FROM ${table} WHERE address IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM subscription WHERE subscription.address = ${table}.address)`,
)

/**
 * Takes out of a draft what was withdrawn after the backup was made, by the rules by which core erases and ends, but
 * with the times of then and without events. Whatever is not there any more is passed over. `auditRecord` is the id
 * of the record that says who did it.
 */
export const withdraw = async (
  { writer, stores }: OpenDraft,
  { users, suspended, erased, ended }: Withdrawals,
  auditRecord: number,
): Promise<Omit<Reapplied, 'suppressions'>> => {
  const countDone = async <Item>(items: Iterable<Item>, withdrawOne: (item: Item) => Promise<boolean>) => {
    let [seen, done] = [0, 0]
    for (const item of items) {
      if (await withdrawOne(item)) done++
      if (++seen % BATCH === 0) writer.keepUnit()
    }
    return done
  }
  await countDone(suspended, ([id, at]) => suspendUser(stores, id as UserId, at))
  const addresses = new Set<AddressHash>()
  const erasedOnes = await countDone(erased, async (id) => {
    const subscription = await stores.subscriptions.find(id)
    if (subscription === undefined) return false
    await eraseSubscription(stores, subscription)
    addresses.add(subscription.address)
    return true
  })
  for (const sql of FORGOTTEN) writer.connection.prepare(sql).run(JSON.stringify([...addresses]))
  return {
    erased: erasedOnes,
    ended: await countDone(ended, async ([id, at]) => {
      const current = await stores.subscriptions.find(id)
      if (!current || current.status === 'ended') return false
      await endSubscription(stores, current, at, randomBytes(8).toString('hex'))
      return true
    }),
    users: await countDone(users, async ([id, at]) => {
      const addressKey = await addressOf(stores, id as UserId)
      if (addressKey !== undefined) forgetRequests(writer.connection, addressKey)
      return await deleteUser(stores, id as UserId, at, auditRecord)
    }),
  }
}

const suspendUser = async ({ users }: Stores, id: UserId, at: Instant): Promise<boolean> => {
  const user = await users.find(id)
  if (!user || user.suspendedAt !== undefined) return false
  await users.put({ ...user, suspendedAt: at })
  return true
}

/** Of a user who is stored or held. */
export const addressOf = async ({ users, heldUsers }: Stores, id: UserId): Promise<string | undefined> =>
  ((await users.find(id)) ?? (await heldUsers.find(id))?.user)?.emailKey

const deleteUser = async (stores: Stores, id: UserId, at: Instant, auditRecord: number): Promise<boolean> => {
  const { accessTokens, users, heldUsers, tombstones } = stores
  const known = ((await users.find(id)) ?? (await heldUsers.find(id))) !== undefined
  await users.erase(id)
  await heldUsers.remove(id)
  const erased = { ...NOTHING_ERASED, users: known ? 1 : 0, tokens: await accessTokens.eraseOf(id) }
  const tombstone = (await tombstones.find(id)) ?? { deletedAt: at, audit: auditRecord, erased, subscriptionsKept: 0 }
  await tombstones.put(id, { ...tombstone, erasesAt: undefined })
  return known
}
