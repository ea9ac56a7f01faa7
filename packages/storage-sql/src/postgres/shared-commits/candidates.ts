import { SUBSCRIPTION_COLUMNS, type SubscriptionRow } from '../../tables/subscriptions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const ROWS = rowStatement<SubscriptionRow>(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ANY ($1::bigint[]) FOR UPDATE`,
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
  /** The subscription that has the id. */
  readonly row: SubscriptionRow | undefined
}

/** For changes of users, which look for the subscriptions of an address. */
export const candidatesOf = (unit: Transaction) =>
  new Loader<FirstCandidate, Candidate>(async (candidates) => {
    const ids = [...new Set(candidates.map(({ id }) => id))]
    unit.lock(...ids.map(keyOf.subscription))
    const fingerprints = candidates.map(({ fingerprint }) => fingerprint)
    const [rows, settled] = await Promise.all([
      unit.ask(ROWS, ids),
      unit.ask<[fingerprint: string]>(SETTLED, fingerprints),
    ])
    const taken = new Map(rows.map((row) => [row.id, row]))
    const displaced = new Set(settled.flat())
    return ({ id, fingerprint }) => ({ isFree: !taken.has(id) && !displaced.has(fingerprint), row: taken.get(id) })
  })
