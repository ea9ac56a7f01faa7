import type { AddressHash } from '@rollcall/core'
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow } from '../../tables/subscriptions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const IDS = statement('SELECT id, address FROM subscription WHERE address = ANY ($1::text[])')
const ROWS = rowStatement<SubscriptionRow>(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE address = ANY ($1::text[]) ORDER BY seq FOR UPDATE`,
)

/** Each takes a place in the server's lock table. */
const MOST_SUBSCRIPTIONS = 400

/**
 * Every subscription of an address, oldest first: no other transaction adds one, or changes one, until the end. Undefined if
 * those of others in the batch leave no room for them.
 */
export const ofAddresses = (unit: Transaction) => {
  let room = MOST_SUBSCRIPTIONS
  return new Loader<AddressHash, readonly SubscriptionRow[] | undefined>(async (addresses) => {
    const ids = Map.groupBy(await unit.ask<[id: number, address: AddressHash]>(IDS, addresses), ([, of]) => of)
    const taken = new Set<AddressHash>()
    for (const address of new Set(addresses)) {
      const count = ids.get(address)?.length ?? 0
      if (count > room) continue
      room -= count
      taken.add(address)
    }
    // In the order of sign-ups: subscriptions, addresses. What came until then is found by the second look.
    unit.lock(...[...taken].flatMap((address) => ids.get(address)?.map(([id]) => keyOf.subscription(id)) ?? []))
    unit.lock(...[...taken].map(keyOf.address))
    const rows = await unit.ask(ROWS, [...taken])
    unit.lock(...rows.map(({ id }) => keyOf.subscription(id)))
    const byAddress = Map.groupBy(rows, ({ address }) => address)
    return (address) => (taken.has(address) ? (byAddress.get(address) ?? []) : undefined)
  })
}
