import type { AddressHash, RequestStore, WaitingRequest } from '@rollcall/core'
import { REQUEST_STORE } from '../../tables/requests.ts'
import { keyOf } from '../lock-keys.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { postgresStore } from './run-methods.ts'

const IS_ASKED = statement(
  'SELECT 1 FROM sign_up_request WHERE address IS NOT NULL AND address = ANY ($1::text[]) LIMIT 1',
)
// Nobody may keep the turn who has fallen silent.
const BE_QUICK = statement("SELECT set_config('idle_in_transaction_session_timeout', '5000', true)")

/** Of the feeds that those taken together are about: each is locked, and takes a place in the server's lock table. */
const MOST_FEEDS = 1_000

const store = postgresStore(REQUEST_STORE)

export const postgresRequestStore = (unit: Transaction): RequestStore => {
  const described = store(unit)
  const turn = (): void => {
    unit.lock(keyOf.requests)
    unit.write(BE_QUICK)
  }
  /** Whether anything is asked about them; then this unit has the turn. */
  const isAsked = async (addresses: readonly AddressHash[]): Promise<boolean> => {
    if (addresses.length === 0) return false
    if ((await unit.ask(IS_ASKED, addresses)).length === 0) return false
    // Whoever has it may be about to store what this unit is to see.
    await unit.lockLate(keyOf.requests)
    return true
  }
  return {
    ...described,
    take: async (limit) => {
      turn()
      return upTo(MOST_FEEDS, await described.take(limit))
    },
    takeOf: async (addresses) => ((await isAsked(addresses)) ? await described.takeOf(addresses) : []),
    removeOf: async (address) => ((await isAsked([address])) ? await described.removeOf(address) : 0),
  }
}

/** The first of them, as long as they are about no more feeds than so many; at least one. */
const upTo = (most: number, requests: readonly WaitingRequest[]): readonly WaitingRequest[] => {
  let feeds = 0
  const end = requests.findIndex(({ asked }, n) => {
    feeds += asked.kind === 'sign-up' ? asked.feeds.length : 1
    return feeds > most && n > 0
  })
  return end < 0 ? requests : requests.slice(0, end)
}
