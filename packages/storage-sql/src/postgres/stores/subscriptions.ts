import type {
  Evidence,
  SubscriptionFilter,
  SubscriptionIdentity,
  SubscriptionReader,
  SubscriptionStore,
} from '@rollcall/core'
import { type CountsOf, countOfTerms, searching } from '../../tables/finding.ts'
import { find, type Methods } from '../../tables/methods.ts'
import { COUNT_OF_SUBSCRIPTIONS, subscriptionPage } from '../../tables/subscription-page.ts'
import {
  CONSENT_COLUMNS,
  CONSENT_VALUES,
  COUNT_CONFIRMED,
  type ConsentRow,
  EXPIRED_SUBSCRIPTIONS,
  FIND_SUBSCRIPTION,
  findManySubscriptions,
  NEW_SUBSCRIPTION,
  RECIPIENTS,
  SUBSCRIPTION_COLUMNS,
  SUBSCRIPTIONS_OF_ADDRESS,
  type SubscriptionRow,
  subscriptionRow,
  toConsentRecord,
  toSubscription,
  WITH_FIELDS,
} from '../../tables/subscriptions.ts'
import { rowFrom, valuesOf } from '../../tables/table.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { type NewRows, Reserve } from './new-rows.ts'
import type { RowCache } from './row-cache.ts'
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
  countConfirmed: COUNT_CONFIRMED,
  find: FIND_SUBSCRIPTION,
  findMany: findManySubscriptions('SELECT jsonb_array_elements_text(?::jsonb)::bigint'),
  findEvidence: find(`SELECT ${EVIDENCE} FROM subscription WHERE id = ?`, (id) => [id], toEvidence),
  ofAddress: SUBSCRIPTIONS_OF_ADDRESS,
  ...RECIPIENTS,
  list: subscriptionPage('postgres', SUBSCRIPTION_COLUMNS, toSubscription),
  listEvidence: subscriptionPage('postgres', EVIDENCE, toEvidence),
}
// No sign-up to the feed runs meanwhile.
const keepOut = lock(({ feed }: SubscriptionFilter) => feed && keyOf.feed(feed))
const COUNTS = { terms: countOfTerms('subscription'), rows: COUNT_OF_SUBSCRIPTIONS }
const reader = postgresReader(METHODS)
const counts = postgresReader<CountsOf<SubscriptionFilter>>(COUNTS)
const store = postgresStore(METHODS, { list: keepOut, listEvidence: keepOut })
const expired = postgresStore(EXPIRED_SUBSCRIPTIONS, { expired: firm() })

const FIND = rowStatement<SubscriptionRow>(`SELECT ${SUBSCRIPTION_COLUMNS} FROM subscription WHERE id = $1`)
const SETTLED = statement('SELECT id FROM displaced_subscription_id WHERE fingerprint = $1')
const SETTLE = statement(
  'INSERT INTO displaced_subscription_id (fingerprint, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
)
const SETTLED_AMONG = statement(
  'SELECT fingerprint, id FROM displaced_subscription_id WHERE fingerprint = ANY ($1::text[])',
)
const PLACES = statement("SELECT nextval('subscription_seq_seq') FROM generate_series(1, $1::integer)")
const update = (columns: readonly string[]) =>
  statement(
    `UPDATE subscription SET (${columns.join(', ')}) = ROW (${placeholders(columns.length)})
    WHERE id = $${columns.indexOf('id') + 1}`,
  )
const UPDATE = update(NEW_SUBSCRIPTION)
const UPDATE_WITH_FIELDS = update(WITH_FIELDS)
const ERASE = statement('DELETE FROM subscription WHERE id = $1')

interface Found {
  readonly id: number
  readonly row: SubscriptionRow | undefined
  /** Set where another identity holds the id that it would have had. */
  readonly displaced?: string
}

const locate = async (
  identity: SubscriptionIdentity,
  byId: (id: number) => Promise<SubscriptionRow | undefined>,
  settledId: (fingerprint: string) => Promise<number | undefined>,
): Promise<Found> => {
  const id = identity.candidate(0)
  const row = await byId(id)
  if (row !== undefined && isOf(identity, row)) return { id, row }
  const settled = await settledId(identity.fingerprint)
  if (settled !== undefined) return { id: settled, row: await byId(settled) }
  if (row === undefined) return { id, row }
  for (let counter = 1; ; counter++) {
    const next = identity.candidate(counter)
    const there = await byId(next)
    if (there === undefined || isOf(identity, there)) return { id: next, row: there, displaced: identity.fingerprint }
  }
}

export const isOf = ({ feed, addressKey }: SubscriptionIdentity, row: SubscriptionRow): boolean =>
  row.address_key === addressKey && row.feed === feed

export const postgresSubscriptionReader = (ask: Ask): SubscriptionReader => {
  const byId = async (id: number) => (await ask(FIND, id))[0]
  const settledId = async (fingerprint: string) => (await ask<[id: number]>(SETTLED, fingerprint))[0]?.[0]
  const found = reader({ ask })
  return {
    ...found,
    list: searching(found.list, counts({ ask })),
    locate: async (identity) => {
      const { id, row } = await locate(identity, byId, settledId)
      return { id, subscription: row && toSubscription(row) }
    },
  }
}

export const postgresSubscriptionStore = (unit: Transaction, cache: RowCache, rows: NewRows): SubscriptionStore => {
  const described = store(unit)
  const places = new Reserve(unit, PLACES)
  const settled = new Loader<string, number | undefined>(async (fingerprints) => {
    const byFingerprint = new Map(await unit.ask<[fingerprint: string, id: number]>(SETTLED_AMONG, fingerprints))
    return (fingerprint) => byFingerprint.get(fingerprint)
  })
  const byId = (id: number) => cache.look(id)
  return {
    ...described,
    ...expired(unit),
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
    locate: async (identity) => {
      const { id, row, displaced } = await locate(identity, byId, (fingerprint) => settled.find(fingerprint))
      if (displaced !== undefined) cache.displace(id, displaced)
      return { id, subscription: row && toSubscription(row) }
    },
    put: async (subscription) => {
      const row = subscriptionRow(subscription)
      const place = await cache.of(row.id)
      const hasFields = row.fields !== null
      if (place.seq !== undefined) {
        if (hasFields || place.hasFields) unit.write(UPDATE_WITH_FIELDS, ...valuesOf(WITH_FIELDS, row))
        else unit.write(UPDATE, ...valuesOf(NEW_SUBSCRIPTION, row))
        place.hasFields = hasFields
        return
      }
      // Who asks for all of the address keeps it from getting one more.
      unit.lock(keyOf.address(row.address))
      place.seq = await places.take()
      place.consents = 0
      place.hasFields = hasFields
      rows.add(hasFields ? 'subscriptionsWithFields' : 'subscriptions', { seq: place.seq, ...row })
      if (place.displaced !== undefined) unit.write(SETTLE, place.displaced, row.id)
    },
    erase: async (id) => {
      unit.write(ERASE, id)
      cache.forget(id)
    },
  }
}
