import type { AddressHash } from '@rollcall/core'
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow } from '../../tables/subscriptions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { freeRows, LOCKED } from './known-reads.ts'

const TAKEN = statement('SELECT id FROM subscription WHERE id = ANY ($1::bigint[])')
const FREE_ROWS = rowStatement<SubscriptionRow>(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ANY ($1::bigint[]) FOR UPDATE SKIP LOCKED`,
)
const OF_ADDRESSES = statement('SELECT id, address FROM subscription WHERE address = ANY ($1::text[]) ORDER BY seq')
const ROWS_OF_ADDRESSES = rowStatement<SubscriptionRow>(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE address = ANY ($1::text[]) FOR UPDATE SKIP LOCKED`,
)
const SETTLED = statement('SELECT fingerprint FROM displaced_subscription_id WHERE fingerprint = ANY ($1::text[])')

/** The first candidate of an identity. */
export interface FirstCandidate {
  readonly id: number
  readonly fingerprint: string
}

/** What is known of it, and stays so until the end. */
export interface Candidate {
  /** Whether no subscription has the id, and the identity never had another. */
  readonly isFree: boolean
  /** The subscription that has the id; undefined also where another transaction holds its row. */
  readonly row: SubscriptionRow | undefined
}

/** For sign-ups: a row that another transaction has locked is taken, but not looked at, as all would wait for it. */
export const candidatesOf = (unit: Transaction) =>
  new Loader<FirstCandidate, Candidate>(async (candidates) => {
    const ids = [...new Set(candidates.map(({ id }) => id))]
    unit.lock(...ids.map(keyOf.subscription))
    const fingerprints = candidates.map(({ fingerprint }) => fingerprint)
    const [{ rows, there }, settled] = await Promise.all([
      freeRows(unit, FREE_ROWS, TAKEN, ids),
      unit.ask<[fingerprint: string]>(SETTLED, fingerprints),
    ])
    const displaced = new Set(settled.flat())
    return ({ id, fingerprint }) => ({ isFree: !there.has(id) && !displaced.has(fingerprint), row: rows.get(id) })
  })

/** Every subscription of an address, oldest first. No other transaction adds one, or changes one, until the end. */
export const ofAddresses = (unit: Transaction) =>
  new Loader<AddressHash, readonly SubscriptionRow[] | typeof LOCKED>(async (addresses) => {
    const look = () => unit.ask<[id: number, address: AddressHash]>(OF_ADDRESSES, addresses)
    // In the order of sign-ups: subscriptions, addresses. What came until then is found by the second look.
    unit.lock(...(await look()).map(([id]) => keyOf.subscription(id)))
    unit.lock(...addresses.map(keyOf.address))
    const [free, all] = await Promise.all([unit.ask(ROWS_OF_ADDRESSES, addresses), look()])
    unit.lock(...all.map(([id]) => keyOf.subscription(id)))
    const rows = new Map(free.map((row) => [row.id, row]))
    const byAddress = Map.groupBy(all, ([, address]) => address)
    return (address) => {
      const own = byAddress.get(address)?.map(([id]) => rows.get(id)) ?? []
      return own.every((row) => row !== undefined) ? own : LOCKED
    }
  })
