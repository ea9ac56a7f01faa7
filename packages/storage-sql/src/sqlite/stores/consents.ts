import type { ConsentStore, KeptMailStore } from '@rollcall/core'
import { CONSENT_VALUES, consentValues, KEPT_MAILS, LEDGER } from '../../tables/subscriptions.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { inserter } from './inserter.ts'
import type { RowCache } from './row-cache.ts'
import { sqliteStore } from './run-methods.ts'

/** The place of what is not stored: nothing is there. */
const ABSENT = -1

export const sqliteConsentStore = (writer: Writer, cache: RowCache): Synchronous<ConsentStore> => {
  const { connection } = writer
  const count = connection
    .prepare<[number], number>('SELECT coalesce(max(n), 0) FROM consent WHERE subscription = +?')
    .pluck()
  const insert = inserter(writer, 'consent', ['subscription', 'n', ...CONSENT_VALUES])
  const ledger = sqliteStore(LEDGER, writer)
  const placeOf = (id: number): number => cache.of(id).seq ?? ABSENT
  return {
    append: (id, record) => {
      const place = cache.of(id)
      if (place.seq === undefined) throw new RangeError('There is no subscription for this consent record.')
      const n = (place.consents ?? count.get(place.seq) ?? 0) + 1
      insert([place.seq, n, ...consentValues(record)])
      place.consents = n
    },
    last: (id) => ledger.last(placeOf(id)),
    countRepetition: (id) => ledger.countRepetition(placeOf(id)),
    list: (id) => ledger.list(placeOf(id)),
  }
}

export const sqliteKeptMailStore = (writer: Writer, cache: RowCache): Synchronous<KeptMailStore> => {
  const mails = sqliteStore(KEPT_MAILS, writer)
  return {
    add: (id, messageId) => {
      const { seq } = cache.of(id)
      if (seq === undefined) throw new RangeError('There is no subscription for this kept mail.')
      mails.add(seq, messageId)
    },
    list: (id) => mails.list(cache.of(id).seq ?? ABSENT),
  }
}
