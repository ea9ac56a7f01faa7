import type { ConsentRecord, ConsentStore, KeptMailStore, SubscriptionId } from '@rollcall/core'
import { CONSENT_VALUES, consentValues, KEPT_MAILS, LEDGER } from '../../tables/consents.ts'
import { insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { type Places, requirePlace } from './places.ts'
import { sqliteStore } from './run-methods.ts'

/** The place of what is not stored: nothing is there. */
const ABSENT = -1

export const sqliteConsentStore = (writer: Writer, places: Places): Synchronous<ConsentStore> => {
  const { connection } = writer
  const newest = connection
    .prepare<[number], number>('SELECT coalesce(max(n), 0) FROM consent WHERE subscription = ?')
    .pluck()
  const insert = connection.prepare(insertInto('consent', ['subscription', 'n', ...CONSENT_VALUES]))
  const ledger = sqliteStore(LEDGER, writer)
  const placeOf = (id: number): number => places(id) ?? ABSENT
  return {
    append: (id, record) => {
      const place = requirePlace(places, id, 'consent record')
      writer.write(insert, place, (newest.get(place) ?? 0) + 1, ...consentValues(record))
    },
    lastOf: (ids) => {
      const found = new Map<SubscriptionId, ConsentRecord>()
      for (const id of ids) {
        const record = ledger.last(placeOf(id))
        if (record !== undefined) found.set(id, record)
      }
      return found
    },
    countRepetition: (id, times) => ledger.countRepetition(placeOf(id), times),
    list: (id) => ledger.list(placeOf(id)),
  }
}

export const sqliteKeptMailStore = (writer: Writer, places: Places): Synchronous<KeptMailStore> => {
  const mails = sqliteStore(KEPT_MAILS, writer)
  return {
    add: (id, messageId) => mails.add(requirePlace(places, id, 'kept mail'), messageId),
    list: (id) => mails.list(places(id) ?? ABSENT),
  }
}
