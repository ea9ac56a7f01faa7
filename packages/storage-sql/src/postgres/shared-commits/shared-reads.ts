import type { AddressHash, Feed, FeedName, Suppression } from '@rollcall/core'
import { FEED_COLUMNS, type FeedRow, toFeed } from '../../tables/feeds.ts'
import { SUPPRESSION_COLUMNS, type SuppressionRow } from '../../tables/subscriptions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const FEEDS = rowStatement<FeedRow>(`SELECT ${FEED_COLUMNS} FROM feed WHERE name = ANY ($1::text[])`)
const SUPPRESSIONS = rowStatement<SuppressionRow>(
  `SELECT ${SUPPRESSION_COLUMNS} FROM suppression WHERE address = ANY ($1::text[])`,
)
const CHALLENGES = statement('SELECT id FROM spent_challenge WHERE id = ANY ($1::text[])')
const TAKEN = statement('SELECT id FROM subscription WHERE id = ANY ($1::bigint[])')
const MAIL_IDS = statement("SELECT nextval('outbox_id_seq') FROM generate_series(1, $1::integer)")
// A row that another transaction has locked is skipped: waiting for it would make the whole batch wait.
const HELD = statement(
  `SELECT id FROM outbox JOIN unnest($1::bigint[], $2::text[]) AS mine (id, owner) USING (id, owner)
    FOR UPDATE OF outbox SKIP LOCKED`,
)
const SETTLED = statement('SELECT fingerprint FROM displaced_subscription_id WHERE fingerprint = ANY ($1::text[])')

/** The first candidate of an identity. */
export interface FirstCandidate {
  readonly id: number
  readonly fingerprint: string
}

/** An entry of the outbox, and who has leased it. */
export interface Lease {
  readonly id: number
  readonly owner: string
}

/** What units that share a transaction look for, each kind in one statement for all of them. */
export class SharedReads {
  readonly feeds: Loader<FeedName, Feed | undefined>
  /** Whether the id is free, and its identity never had another. */
  readonly free: Loader<FirstCandidate, boolean>
  readonly suppressions: Loader<AddressHash, Suppression | undefined>
  readonly spent: Loader<string, boolean>
  /** Ids for mails, each given out once. */
  readonly mailIds: Loader<void, number>
  /** Whether the entry is still its owner's; then it stays so until the end. */
  readonly held: Loader<Lease, boolean>

  constructor(unit: Transaction) {
    this.feeds = new Loader(async (names) => {
      const distinct = [...new Set(names)]
      unit.share(...distinct.map(keyOf.feed))
      const feeds = (await unit.ask(FEEDS, distinct)).map(toFeed)
      const byName = new Map(feeds.map((feed) => [feed.name, feed]))
      return (name) => byName.get(name)
    })
    this.free = new Loader(async (candidates) => {
      const ids = [...new Set(candidates.map(({ id }) => id))]
      unit.lock(...ids.map(keyOf.subscription))
      const [taken, settled] = await Promise.all([
        unit.ask<[id: number]>(TAKEN, ids),
        unit.ask<[fingerprint: string]>(
          SETTLED,
          candidates.map(({ fingerprint }) => fingerprint),
        ),
      ])
      const known = new Set<number | string>([...taken, ...settled].flat())
      return ({ id, fingerprint }) => !known.has(id) && !known.has(fingerprint)
    })
    this.suppressions = new Loader(async (addresses) => {
      const distinct = [...new Set(addresses)]
      unit.lock(...distinct.map(keyOf.address))
      const rows = await unit.ask(SUPPRESSIONS, distinct)
      const byAddress = new Map(rows.map(({ address, cause, since }) => [address, { cause, since }]))
      return (address) => byAddress.get(address)
    })
    this.spent = new Loader(async (ids) => {
      const distinct = [...new Set(ids)]
      unit.lock(...distinct.map(keyOf.challenge))
      const spent = new Set((await unit.ask<[id: string]>(CHALLENGES, distinct)).map(([id]) => id))
      return (id) => spent.has(id)
    })
    this.held = new Loader(async (leases) => {
      const ids = leases.map(({ id }) => id)
      const owners = leases.map(({ owner }) => owner)
      const held = new Set((await unit.ask<[id: number]>(HELD, ids, owners)).map(([id]) => id))
      return ({ id }) => held.has(id)
    })
    this.mailIds = new Loader(async (wanted) => {
      const ids = await unit.ask<[id: number]>(MAIL_IDS, wanted.length)
      let taken = 0
      return () => ids[taken++]?.[0] ?? 0
    })
  }
}
