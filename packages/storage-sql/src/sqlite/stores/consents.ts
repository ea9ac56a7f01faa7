import type { ConsentStore, KeptMailStore } from '@rollcall/core'
import {
  CONSENT_COLUMNS,
  CONSENT_VALUES,
  type ConsentRow,
  consentValues,
  toConsentRecord,
} from '../../tables/subscriptions.ts'
import { insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import type { RowCache } from './row-cache.ts'

const ABSENT = -1

export const sqliteConsentStore = (writer: Writer, cache: RowCache): Synchronous<ConsentStore> => {
  const { connection } = writer
  const count = connection
    .prepare<[number], number>('SELECT coalesce(max(n), 0) FROM consent WHERE subscription = +?')
    .pluck()
  const insert = connection.prepare(insertInto('consent', ['subscription', 'n', ...CONSENT_VALUES]))
  const select = (rest: string) =>
    connection.prepare<[number], ConsentRow>(
      `SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = +? ORDER BY n ${rest}`,
    )
  const last = select('DESC LIMIT 1')
  const all = select('')
  const repeat = connection.prepare(
    `UPDATE consent SET count = count + 1
      WHERE subscription = +? AND n = (SELECT max(n) FROM consent WHERE subscription = +?)`,
  )

  return {
    append: (id, record) => {
      const place = cache.of(id)
      if (place.seq === undefined) throw new RangeError('There is no subscription for this consent record.')
      const n = (place.consents ?? count.get(place.seq) ?? 0) + 1
      writer.write(insert, place.seq, n, ...consentValues(record))
      place.consents = n
    },
    last: (id) => {
      const row = last.get(cache.of(id).seq ?? ABSENT)
      return row && toConsentRecord(row)
    },
    countRepetition: (id) => {
      const { seq = ABSENT } = cache.of(id)
      writer.write(repeat, seq, seq)
    },
    list: (id) => all.all(cache.of(id).seq ?? ABSENT).map(toConsentRecord),
  }
}

export const sqliteKeptMailStore = (writer: Writer, cache: RowCache): Synchronous<KeptMailStore> => {
  const { connection } = writer
  const insert = connection.prepare(
    'INSERT INTO kept_mail (subscription, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const list = connection
    .prepare<[number], string>('SELECT message_id FROM kept_mail WHERE subscription = +? ORDER BY message_id')
    .pluck()
  return {
    add: (id, messageId) => {
      const { seq } = cache.of(id)
      if (seq === undefined) throw new RangeError('There is no subscription for this kept mail.')
      writer.write(insert, seq, messageId)
    },
    list: (id) => {
      const { seq } = cache.of(id)
      return seq === undefined ? [] : list.all(seq)
    },
  }
}
