import type { AddressHash, Feed, FeedName, StoredSuppression } from '@rollcall/core'
import { FEED_COLUMNS, type FeedRow, toFeed } from '../../tables/feeds.ts'
import { SUPPRESSION_COLUMNS, type SuppressionRow, toSuppression } from '../../tables/suppressions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { auditedReads, type Foresight } from './audited-reads.ts'
import { candidatesOf, lockedCandidates } from './candidates.ts'
import { knownReads } from './known-reads.ts'

const FEEDS = rowStatement<FeedRow>(`SELECT ${FEED_COLUMNS} FROM feed WHERE name = ANY ($1::text[])`)
const SUPPRESSIONS = rowStatement<SuppressionRow>(
  `SELECT ${SUPPRESSION_COLUMNS} FROM suppression WHERE address = ANY ($1::text[])`,
)
const CHALLENGES = statement('SELECT id FROM spent_challenge WHERE id = ANY ($1::text[])')
const MAIL_IDS = statement("SELECT nextval('outbox_id_seq') FROM generate_series(1, $1::integer)")
export type SharedReads = ReturnType<typeof sharedReads>

/** What units that share a transaction look for, each kind in one statement for all of them. */
export const sharedReads = (unit: Transaction, foresight?: Foresight) => {
  const audited = auditedReads(unit, foresight)
  const candidates = foresight ? lockedCandidates(unit) : candidatesOf(unit)
  return { ...plainReads(unit), ...audited, candidates }
}

const plainReads = (unit: Transaction) => ({
  ...knownReads(unit),
  feeds: byKey<FeedName, Feed>(async (names) => {
    unit.share(...names.map(keyOf.feed))
    return (await unit.ask(FEEDS, names)).map(toFeed).map((feed) => [feed.name, feed])
  }),
  suppressions: byKey<AddressHash, StoredSuppression>(async (addresses) => {
    unit.lock(...addresses.map(keyOf.address))
    return (await unit.ask(SUPPRESSIONS, addresses)).map((row) => [row.address, toSuppression(row)])
  }),
  spent: byKey<string, true>(async (ids) => {
    unit.lock(...ids.map(keyOf.challenge))
    return (await unit.ask<[id: string]>(CHALLENGES, ids)).map(([id]) => [id, true])
  }),
  /** Ids for mails, each given out once. */
  mailIds: new Loader<void, number>(async (wanted) => {
    const ids = await unit.ask<[id: number]>(MAIL_IDS, wanted.length)
    let taken = 0
    return () => ids[taken++]?.[0] ?? 0
  }),
})

/** Looks for each key once. */
const byKey = <Key, Found>(look: (keys: readonly Key[]) => Promise<(readonly [Key, Found])[]>) =>
  new Loader<Key, Found | undefined>(async (keys) => {
    const found = new Map(await look([...new Set(keys)]))
    return (key) => found.get(key)
  })
