import { SUBSCRIPTION_COLUMNS, type SubscriptionRow } from '../../tables/subscriptions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { freeRows } from './known-reads.ts'

const TAKEN = statement('SELECT id FROM subscription WHERE id = ANY ($1::bigint[])')
const FREE_ROWS = rowStatement<SubscriptionRow>(
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = ANY ($1::bigint[]) FOR UPDATE SKIP LOCKED`,
)
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
  /** The subscription that has the id; undefined also where another transaction holds its row. */
  readonly row: SubscriptionRow | undefined
}

type Look = (ids: readonly number[]) => Promise<ReadonlyMap<number, SubscriptionRow | undefined>>

/** For sign-ups: a row that another transaction has locked is taken, but not looked at, as all would wait for it. */
export const candidatesOf = (unit: Transaction) =>
  load(unit, async (ids) => {
    const { rows, there } = await freeRows(unit, FREE_ROWS, TAKEN, ids)
    return new Map([...there].map((id) => [id, rows.get(id)]))
  })

/** For changes of users, which look for the subscriptions of an address. */
export const lockedCandidates = (unit: Transaction) =>
  load(unit, async (ids) => new Map((await unit.ask(ROWS, ids)).map((row) => [row.id, row])))

const load = (unit: Transaction, look: Look) =>
  new Loader<FirstCandidate, Candidate>(async (candidates) => {
    const ids = [...new Set(candidates.map(({ id }) => id))]
    unit.lock(...ids.map(keyOf.subscription))
    const fingerprints = candidates.map(({ fingerprint }) => fingerprint)
    const [taken, settled] = await Promise.all([look(ids), unit.ask<[fingerprint: string]>(SETTLED, fingerprints)])
    const displaced = new Set(settled.flat())
    return ({ id, fingerprint }) => ({ isFree: !taken.has(id) && !displaced.has(fingerprint), row: taken.get(id) })
  })
