import type { ConsentStore, KeptMailStore } from '@rollcall/core'
import {
  CONSENT_COLUMNS,
  CONSENT_VALUES,
  consentRow,
  consentValues,
  KEPT_MAILS,
  LAST_CONSENTS,
  LEDGER,
} from '../../tables/subscriptions.ts'
import { keyOf } from '../lock-keys.ts'
import { placeholders, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { NewRows } from './new-rows.ts'
import type { RowCache } from './row-cache.ts'
import { postgresStore } from './run-methods.ts'

/** The place of what is not stored: nothing is there. */
const ABSENT = -1

const INSERT = statement(
  `INSERT INTO consent (subscription, n, ${CONSENT_COLUMNS})
    VALUES ($1, coalesce((SELECT max(n) FROM consent WHERE subscription = $1), 0) + 1,
      ${placeholders(CONSENT_VALUES.length, 2)})`,
)
const lastConsents = postgresStore(LAST_CONSENTS, {
  lastOf: { take: (unit, ids) => unit.lock(...ids.map(keyOf.subscription)) },
})
const ledgers = postgresStore(LEDGER)
const keptMails = postgresStore(KEPT_MAILS)

/** A subscription's ledger is only ever touched by who has locked the subscription. */
export const postgresConsentStore = (unit: Transaction, cache: RowCache, rows: NewRows): ConsentStore => {
  const ledger = ledgers(unit)
  const placeOf = async (id: number): Promise<number> => (await cache.of(id)).seq ?? ABSENT
  return {
    append: async (id, record) => {
      const place = await cache.of(id)
      if (place.seq === undefined) throw new RangeError('There is no subscription for this consent record.')
      if (place.consents === undefined) return unit.write(INSERT, place.seq, ...consentValues(record))
      place.consents++
      rows.add('consents', { subscription: place.seq, n: place.consents, ...consentRow(record) })
    },
    ...lastConsents(unit),
    last: async (id) => await ledger.last(await placeOf(id)),
    countRepetition: async (id) => await ledger.countRepetition(await placeOf(id)),
    list: async (id) => await ledger.list(await placeOf(id)),
  }
}

export const postgresKeptMailStore = (unit: Transaction, cache: RowCache): KeptMailStore => {
  const mails = keptMails(unit)
  return {
    add: async (id, messageId) => {
      const { seq } = await cache.of(id)
      if (seq === undefined) throw new RangeError('There is no subscription for this kept mail.')
      await mails.add(seq, messageId)
    },
    list: async (id) => await mails.list((await cache.of(id)).seq ?? ABSENT),
  }
}
