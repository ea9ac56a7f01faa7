import type { ConsentStore, KeptMailStore } from '@rollcall/core'
import {
  CONSENT,
  CONSENT_COLUMNS,
  CONSENT_VALUES,
  type ConsentRow,
  consentRow,
  KEPT_MAILS,
  LEDGER,
  toConsentRecord,
} from '../../tables/consents.ts'
import type { Cell } from '../../tables/table.ts'
import { arraysOf, columnArrays, rowStatement, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { NewRows } from './new-rows.ts'
import type { RowCache } from './row-cache.ts'
import { postgresStore } from './run-methods.ts'

/** The place of what is not stored: nothing is there. */
const ABSENT = -1

const APPENDED = ['subscription', ...CONSENT_VALUES]
// Without a join, which could go through the table.
const APPEND = statement(
  `INSERT INTO consent (subscription, n, ${CONSENT_COLUMNS})
    SELECT subscription, coalesce((SELECT max(n) FROM consent WHERE consent.subscription = new.subscription), 0)
        + row_number() OVER (PARTITION BY subscription ORDER BY nth), ${CONSENT_COLUMNS}
    FROM unnest(${arraysOf(CONSENT, APPENDED)}) WITH ORDINALITY AS new (${APPENDED.join(', ')}, nth)`,
)
const LAST_OF = rowStatement<ConsentRow & { subscription: number }>(
  `SELECT asked.subscription, ${CONSENT_VALUES.map((column) => `last.${column}`).join(', ')}
    FROM unnest($1::bigint[]) AS asked (subscription)
    CROSS JOIN LATERAL (SELECT * FROM consent WHERE consent.subscription = asked.subscription ORDER BY n DESC LIMIT 1)
      AS last`,
)
// As with subscriptions: no more is read than the ledgers of these.
const COUNT_MANY = statement(
  `UPDATE consent SET count = consent.count + new.times
    FROM unnest($1::bigint[], $2::bigint[]) AS new (subscription, times)
    WHERE consent.subscription = new.subscription AND consent.subscription = ANY ($1::bigint[])
      AND n = (SELECT max(n) FROM consent AS own WHERE own.subscription = consent.subscription)`,
)
const ledgers = postgresStore(LEDGER)
const keptMails = postgresStore(KEPT_MAILS)

/** A subscription's ledger is only ever touched by who has locked the subscription. */
export const postgresConsentStore = (unit: Transaction, cache: RowCache, rows: NewRows): ConsentStore => {
  const ledger = ledgers(unit)
  const placeOf = async (id: number): Promise<number> => (await cache.of(id)).seq ?? ABSENT
  /** To ledgers that began before this unit, and how often their last records are repeated: written together. */
  const appended: Readonly<Record<string, Cell>>[] = []
  const repetitions = new Map<number, number>()
  const write = (): void => {
    const [records, counts] = [appended.splice(0), [...repetitions]]
    repetitions.clear()
    if (records.length > 0) unit.write(APPEND, ...columnArrays(APPENDED, records))
    if (counts.length > 0) unit.write(COUNT_MANY, ...valueArrays(2, counts))
  }
  return {
    append: async (id, record) => {
      const place = await cache.of(id)
      if (place.seq === undefined) throw new RangeError('There is no subscription for this consent record.')
      if (place.consents !== undefined) {
        place.consents++
        return rows.add('consents', { subscription: place.seq, n: place.consents, ...consentRow(record) })
      }
      // What was repeated before is not this one.
      if (repetitions.size > 0) write()
      appended.push({ subscription: place.seq, ...consentRow(record) })
      unit.gather(write)
    },
    lastOf: async (ids) => {
      const idAt = new Map<number, number>()
      for (const id of ids) idAt.set(await placeOf(id), id)
      idAt.delete(ABSENT)
      const found = idAt.size === 0 ? [] : await unit.ask(LAST_OF, [...idAt.keys()])
      return new Map(found.map((row) => [idAt.get(row.subscription) ?? 0, toConsentRecord(row)]))
    },
    countRepetition: async (id, times = 1) => {
      const place = await placeOf(id)
      repetitions.set(place, (repetitions.get(place) ?? 0) + times)
      unit.gather(write)
    },
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
