import type { Evidence, Subscription, SubscriptionFilter, SubscriptionReader, SubscriptionStore } from '@rollcall/core'
import { CONSENT_COLUMNS, CONSENT_VALUES, type ConsentRow, toConsentRecord } from '../../tables/consents.ts'
import { type Searched, searchedIn, searching } from '../../tables/finding.ts'
import { find, type Methods } from '../../tables/methods.ts'
import { COUNT_OF_SUBSCRIPTIONS, subscriptionPage } from '../../tables/subscription-page.ts'
import {
  DISPLACED,
  FIND_SUBSCRIPTION,
  FIND_SUBSCRIPTIONS,
  NEW_SUBSCRIPTION,
  RECIPIENTS,
  SUBSCRIPTION,
  SUBSCRIPTION_COLUMNS,
  SUBSCRIPTION_STORE,
  SUBSCRIPTIONS_OF_ADDRESS,
  type SubscriptionRow,
  subscriptionRow,
  toSubscription,
} from '../../tables/subscriptions.ts'
import { rowFrom } from '../../tables/table.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, arraysOf, columnArrays, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { locate } from './locate.ts'
import { type NewRows, Reserve } from './new-rows.ts'
import type { Place, RowCache } from './row-cache.ts'
import { firm, lock, postgresReader, postgresStore } from './run-methods.ts'

interface EvidenceRow extends SubscriptionRow {
  /** Of each record its values. */
  readonly consents: (readonly unknown[])[] | null
}

// One statement sees one moment: nothing that is committed meanwhile comes between a subscription and its ledger.
const CONSENTS = `(SELECT json_agg(json_build_array(${CONSENT_COLUMNS}) ORDER BY n) FROM consent WHERE subscription = seq)`

const EVIDENCE = `${SUBSCRIPTION_COLUMNS}, ${CONSENTS} AS consents`

const toEvidence = (row: EvidenceRow): Evidence => ({
  subscription: toSubscription(row),
  consents: (row.consents ?? []).map((values) => toConsentRecord(rowFrom<ConsentRow>(CONSENT_VALUES, values))),
})

const METHODS: Methods<Omit<SubscriptionReader, 'locate'>> = {
  find: FIND_SUBSCRIPTION,
  displaced: DISPLACED,
  findMany: FIND_SUBSCRIPTIONS,
  findEvidence: find(`SELECT ${EVIDENCE} FROM subscription WHERE id = ?`, (id) => [id], toEvidence),
  ofAddress: SUBSCRIPTIONS_OF_ADDRESS,
  ...RECIPIENTS,
  list: subscriptionPage('postgres', SUBSCRIPTION_COLUMNS, toSubscription),
  listEvidence: subscriptionPage('postgres', EVIDENCE, toEvidence),
}
// No sign-up to the feed runs meanwhile.
const keepOut = lock(({ feed }: SubscriptionFilter) => feed && keyOf.feed(feed))
const reader = postgresReader(METHODS)
const searched = postgresReader<Searched<SubscriptionFilter>>(searchedIn('subscription', COUNT_OF_SUBSCRIPTIONS))
const store = postgresStore<Omit<SubscriptionStore, 'locate' | 'locateMany' | 'put'>>(
  { ...METHODS, ...SUBSCRIPTION_STORE },
  { list: keepOut, listEvidence: keepOut, expired: firm() },
)

const FIND = rowStatement<SubscriptionRow>(`SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = $1`)
const SETTLE = statement(
  'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
)
const SETTLED = statement('SELECT fingerprint, id FROM displaced_subscription_id WHERE fingerprint = ANY ($1::text[])')
type Settled = [fingerprint: string, id: number]
const PLACES = statement("SELECT nextval('subscription_seq_seq') FROM generate_series(1, $1::integer)")
const ID = `$${NEW_SUBSCRIPTION.indexOf('id') + 1}`
// The ids by themselves, too: whatever the plan of the join, no more of the table is read than these rows.
const UPDATE = statement(
  `UPDATE subscription SET ${NEW_SUBSCRIPTION.map((column) => `${column} = new.${column}`).join(', ')}
    FROM unnest(${arraysOf(SUBSCRIPTION, NEW_SUBSCRIPTION)}) AS new (${NEW_SUBSCRIPTION.join(', ')})
    WHERE subscription.id = new.id AND subscription.id = ANY (${ID}::bigint[])`,
)

export const postgresSubscriptionReader = (ask: Ask): SubscriptionReader => {
  const byId = async (id: number) => (await ask(FIND, id))[0]
  const settledId = async (fingerprint: string) => (await ask<Settled>(SETTLED, [fingerprint]))[0]?.[1]
  const found = reader({ ask })
  return {
    ...found,
    list: searching(found.list, searched({ ask })),
    locate: async (identity) => {
      const { id, row } = await locate(identity, byId, settledId)
      return { id, subscription: row && toSubscription(row) }
    },
  }
}

export const postgresSubscriptionStore = (unit: Transaction, cache: RowCache, rows: NewRows): SubscriptionStore => {
  const described = store(unit)
  const places = new Reserve(unit, PLACES)
  const settled = new Loader(
    async (fingerprints: readonly string[]) => new Map(await unit.ask<Settled>(SETTLED, fingerprints)),
  )
  const byId = (id: number) => cache.look(id)
  const locateOne = async (...located: Parameters<typeof locate>) => {
    const { id, row, displaced } = await locate(...located)
    if (displaced !== undefined) cache.displace(id, displaced)
    return { id, subscription: row && toSubscription(row) }
  }
  /** Inserts it, or gives back its row as that is to become. */
  const insertOr = (subscription: Subscription, place: Place, draw: () => number) => {
    const row = subscriptionRow(subscription)
    if (place.seq !== undefined) return row
    place.seq = draw()
    place.consents = 0
    rows.add('subscriptions', { seq: place.seq, ...row })
    if (place.displaced !== undefined) unit.write(SETTLE, place.displaced, row.id)
    return undefined
  }
  return {
    ...described,
    find: async (id) => {
      const row = await byId(id)
      return row && toSubscription(row)
    },
    findMany: async (ids) => {
      const rows = await Promise.all([...new Set(ids)].map(byId))
      return rows.flatMap((row) => (row === undefined ? [] : [toSubscription(row)]))
    },
    ofAddress: async (address) => {
      const look = async () => Promise.all((await described.ofAddress(address)).map(({ id }) => byId(id)))
      await look()
      // After the subscriptions, as sign-ups do. What came until then is found by the second look.
      unit.lock(keyOf.address(address))
      const rows = await look()
      return rows.flatMap((row) => (row === undefined ? [] : [toSubscription(row)]))
    },
    findEvidence: async (id) => {
      await byId(id)
      return await described.findEvidence(id)
    },
    locate: (identity) => locateOne(identity, byId, (fingerprint) => settled.find(fingerprint)),
    locateMany: async (identities) => {
      // All at once: a set waits for the server one time.
      const first = new Map<number, Promise<SubscriptionRow | undefined>>()
      const settledIds = new Map<string, Promise<number | undefined>>()
      for (const identity of identities) {
        const { fingerprint } = identity
        const id = identity.candidate(0)
        if (!first.has(id)) first.set(id, byId(id))
        if (!settledIds.has(fingerprint)) settledIds.set(fingerprint, settled.find(fingerprint))
      }
      await Promise.all([...first.values(), ...settledIds.values()])
      const claimed = new Map<number, string>()
      const all: Awaited<ReturnType<typeof locateOne>>[] = []
      for (const identity of identities) {
        const found = await locateOne(
          identity,
          async (id) => await (first.get(id) ?? byId(id)),
          async (fingerprint) => await settledIds.get(fingerprint),
          claimed,
        )
        claimed.set(found.id, identity.fingerprint)
        all.push(found)
      }
      return all
    },
    put: async (...subscriptions) => {
      const placesOf = await Promise.all(subscriptions.map(({ id }) => cache.of(id)))
      const added = subscriptions.filter((_, n) => placesOf[n]?.seq === undefined)
      // Who asks for all of an address keeps it from getting one more.
      unit.lock(...new Set(added.map(({ address }) => keyOf.address(address))))
      const drawn = (await places.take(added.length)).values()
      const changed = subscriptions.flatMap((one, n) => {
        const place = placesOf[n]
        return (place && insertOr(one, place, () => drawn.next().value ?? 0)) ?? []
      })
      if (changed.length > 0) unit.write(UPDATE, ...columnArrays(NEW_SUBSCRIPTION, changed))
    },
    erase: async (id) => {
      await described.erase(id)
      cache.forget(id)
    },
  }
}
