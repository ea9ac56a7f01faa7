import type {
  AddressHash,
  Channel,
  Deliverability,
  DeliverabilityReader,
  DeliverabilityRecord,
  DeliverabilityState,
  DeliverabilityStore,
  FeedbackKind,
  FeedbackReader,
  FeedbackStore,
  FeedName,
  WaitingFeedbackRecord,
} from '@rollcall/core'
import { PREFIXES, prefixes } from './hash-prefixes.ts'
import { all, change, changeOne, find, first, type Methods, page, pruneBefore, write } from './methods.ts'
import {
  columnsOf,
  countedTable,
  excluded,
  insertInto,
  json,
  mapping,
  type RowOf,
  table,
  text,
  whole,
} from './table.ts'

export const DELIVERABILITY = countedTable('deliverability', {
  seq: whole(),
  address: text<AddressHash>(),
  state: text<DeliverabilityState>(),
  since: whole(),
  status: text<string | null>(),
  days: json<readonly number[]>(),
  expires_at: whole(),
})

type DeliverabilityRow = RowOf<typeof DELIVERABILITY>

const KNOWN = mapping(DELIVERABILITY, 'seq', 'address')
const DELIVERABILITY_COLUMNS = columnsOf(DELIVERABILITY).join(', ')

const toDeliverability = (row: DeliverabilityRow): Deliverability => KNOWN.toRecord(row)

const toDeliverabilityRecord = (row: DeliverabilityRow): DeliverabilityRecord => ({
  address: row.address,
  ...KNOWN.toRecord(row),
})

const DELIVERABILITIES = (condition: string, order: string) =>
  `SELECT ${DELIVERABILITY_COLUMNS} FROM deliverability WHERE ${condition} seq > +? ORDER BY ${order} LIMIT +?`
const EVERY_DELIVERABILITY = DELIVERABILITIES('', 'seq')
const DELIVERABILITY_BY_STATE = DELIVERABILITIES('state = +? AND', 'state, seq')

export const DELIVERABILITY_READER: Methods<DeliverabilityReader> = {
  find: find(
    `SELECT ${DELIVERABILITY_COLUMNS} FROM deliverability WHERE address = ?`,
    (address) => [address],
    toDeliverability,
  ),
  findMany: {
    gives: 'all',
    text: `SELECT ${DELIVERABILITY_COLUMNS} FROM deliverability WHERE address IN @texts`,
    values: (addresses) => [addresses],
    answer: (rows: readonly DeliverabilityRow[]) => new Map(rows.map((row) => [row.address, toDeliverability(row)])),
  },
  undeliverablePrefixes: prefixes(
    'seq',
    `SELECT address, seq FROM deliverability WHERE state = 'undeliverable' AND seq > ? ORDER BY seq LIMIT ${PREFIXES}`,
  ),
  list: page(
    ({ state }) => (state === undefined ? EVERY_DELIVERABILITY : DELIVERABILITY_BY_STATE),
    'seq',
    toDeliverabilityRecord,
    ({ state, after }, most) => (state === undefined ? [after, most] : [state, after, most]),
  ),
}

export const DELIVERABILITY_STORE: Methods<DeliverabilityStore> = {
  ...DELIVERABILITY_READER,
  put: write(
    `${insertInto('deliverability', ['address', ...KNOWN.columns])}
      ON CONFLICT (address) DO UPDATE SET ${excluded(KNOWN.columns)}`,
    (address, known) => [address, ...KNOWN.toValues(known)],
  ),
  erase: write('DELETE FROM deliverability WHERE address = ?', (address) => [address]),
  expired: all(
    `SELECT ${DELIVERABILITY_COLUMNS} FROM deliverability WHERE expires_at < ? ORDER BY expires_at, seq LIMIT +?`,
    (before, limit) => [before, limit],
    toDeliverabilityRecord,
  ),
}

export const FEEDBACK_SEEN = table('feedback_seen', 1, { id: text(), expires_at: whole() })

export const FEEDBACK_COUNT = table('feedback_count', 2, { day: whole(), caller: text(), addresses: whole() })

export const WAITING_FEEDBACK = countedTable('waiting_feedback', {
  id: whole(),
  caller: text(),
  channel: text<Channel>(),
  feeds: json<readonly FeedName[] | undefined>(),
  kind: text<FeedbackKind>(),
  address: text<AddressHash>(),
  mailbox: text<AddressHash>(),
  subscription: whole<number | null>(),
  permanent: whole(),
  status: text<string | null>(),
  at: whole(),
  since: whole(),
})

type WaitingRow = RowOf<typeof WAITING_FEEDBACK>

const WAITING_COLUMNS = columnsOf(WAITING_FEEDBACK).join(', ')

const WAITING = mapping(WAITING_FEEDBACK, 'permanent')
const NEW_WAITING = mapping(WAITING_FEEDBACK, 'id', 'permanent')

const toWaiting = (row: WaitingRow): WaitingFeedbackRecord => ({
  ...WAITING.toRecord(row),
  permanent: row.permanent === 1,
})

export const FEEDBACK_READER: Methods<FeedbackReader> = {
  list: page(
    `SELECT ${WAITING_COLUMNS} FROM waiting_feedback WHERE id > ? ORDER BY id LIMIT +?`,
    'id',
    (row: WaitingRow) => toWaiting(row),
  ),
  find: find(`SELECT ${WAITING_COLUMNS} FROM waiting_feedback WHERE id = ?`, (id) => [id], toWaiting),
  ofAddress: all(
    `SELECT ${WAITING_COLUMNS} FROM waiting_feedback WHERE address = ? ORDER BY id`,
    (address) => [address],
    toWaiting,
  ),
  counted: first(
    'SELECT addresses FROM feedback_count WHERE day = ? AND caller = ?',
    (caller, day) => [day, caller],
    (row: { addresses: number } | undefined) => row?.addresses ?? 0,
  ),
}

export const FEEDBACK_STORE: Methods<FeedbackStore> = {
  ...FEEDBACK_READER,
  see: changeOne('INSERT INTO feedback_seen (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING', (id, expiresAt) => [
    id,
    expiresAt,
  ]),
  count: write(
    `INSERT INTO feedback_count AS known (day, caller, addresses) VALUES (?, ?, ?)
      ON CONFLICT (day, caller) DO UPDATE SET addresses = known.addresses + excluded.addresses`,
    (caller, day, addresses) => [day, caller, addresses],
  ),
  add: write(
    `${insertInto('waiting_feedback', [...NEW_WAITING.columns, 'permanent'])} ON CONFLICT DO NOTHING`,
    (waiting) => [...NEW_WAITING.toValues(waiting), waiting.permanent ? 1 : 0],
  ),
  remove: changeOne('DELETE FROM waiting_feedback WHERE id = ?', (id) => [id]),
  nameFor: write('UPDATE waiting_feedback SET subscription = ? WHERE address = ?', (address, subscription) => [
    subscription,
    address,
  ]),
  removeOf: write('DELETE FROM waiting_feedback WHERE address = ?', (address) => [address]),
  removeBounces: write("DELETE FROM waiting_feedback WHERE address IN @texts AND kind = 'bounce'", (addresses) => [
    addresses,
  ]),
  pruneSeen: pruneBefore('feedback_seen', 'id', 'expires_at'),
  pruneCounts: change(
    `DELETE FROM feedback_count WHERE (day, caller) IN
      (SELECT day, caller FROM feedback_count WHERE day < ? ORDER BY day, caller LIMIT +?)`,
    (day, limit) => [day, limit],
  ),
  pruneWaiting: pruneBefore('waiting_feedback', 'id', 'since'),
}
