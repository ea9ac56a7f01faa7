import type { ConsentStore, KeptMailStore } from '@rollcall/core'
import {
  CONSENT_COLUMNS,
  CONSENT_VALUES,
  type ConsentRow,
  consentRow,
  consentValues,
  toConsentRecord,
} from '../../tables/subscriptions.ts'
import { placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { NewRows } from './new-rows.ts'
import type { RowCache } from './row-cache.ts'

const ABSENT = -1

const LAST_NUMBER = '(SELECT max(n) FROM consent WHERE subscription = $1)'
const INSERT = statement(
  `INSERT INTO consent (subscription, n, ${CONSENT_COLUMNS})
    VALUES ($1, coalesce(${LAST_NUMBER}, 0) + 1, ${placeholders(CONSENT_VALUES.length, 2)})`,
)
const LAST = rowStatement<ConsentRow>(
  `SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = $1 ORDER BY n DESC LIMIT 1`,
)
const ALL = rowStatement<ConsentRow>(`SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = $1 ORDER BY n`)
const REPEAT = statement(`UPDATE consent SET count = count + 1 WHERE subscription = $1 AND n = ${LAST_NUMBER}`)

/** A subscription's ledger is only ever touched by who has locked the subscription. */
export const postgresConsentStore = (unit: Transaction, cache: RowCache, rows: NewRows): ConsentStore => {
  const placeOf = async (id: number): Promise<number> => (await cache.of(id)).seq ?? ABSENT
  return {
    append: async (id, record) => {
      const place = await cache.of(id)
      if (place.seq === undefined) throw new RangeError('There is no subscription for this consent record.')
      if (place.consents === undefined) return unit.write(INSERT, place.seq, ...consentValues(record))
      place.consents++
      rows.add('consents', { subscription: place.seq, n: place.consents, ...consentRow(record) })
    },
    last: async (id) => {
      const [row] = await unit.ask(LAST, await placeOf(id))
      return row && toConsentRecord(row)
    },
    countRepetition: async (id) => unit.write(REPEAT, await placeOf(id)),
    list: async (id) => (await unit.ask(ALL, await placeOf(id))).map(toConsentRecord),
  }
}

const INSERT_MAIL = statement('INSERT INTO kept_mail (subscription, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING')
const LIST_MAILS = statement('SELECT message_id FROM kept_mail WHERE subscription = $1 ORDER BY message_id')

export const postgresKeptMailStore = (unit: Transaction, cache: RowCache): KeptMailStore => ({
  add: async (id, messageId) => {
    const { seq } = await cache.of(id)
    if (seq === undefined) throw new RangeError('There is no subscription for this kept mail.')
    unit.write(INSERT_MAIL, seq, messageId)
  },
  list: async (id) => {
    const { seq } = await cache.of(id)
    return seq === undefined
      ? []
      : (await unit.ask<[messageId: string]>(LIST_MAILS, seq)).map(([messageId]) => messageId)
  },
})
