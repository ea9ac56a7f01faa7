import type { AddressHash, AddressMove, MovedSubscription, MoveReader, MoveStore } from '@rollcall/core'
import { all, find, first, type Methods, write } from './methods.ts'
import { columnsOf, excluded, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

export const ADDRESS_MOVE = table('address_move', 1, {
  id: whole(),
  address: text<AddressHash>(),
  new_address: text<AddressHash>(),
  email: text<string | null>(),
  address_key: text<string | null>(),
  episode: text(),
  requested_at: whole(),
  moved_at: whole<number | null>(),
  undone_at: whole<number | null>(),
  expires_at: whole(),
  mail: whole<number | null>(),
})

export const MOVED_SUBSCRIPTION = table('moved_subscription', 1, {
  old_id: whole(),
  new_id: whole(),
  episode: text(),
  new_episode: text<string | null>(),
  move: whole<number | null>(),
})

const MOVE = mapping(ADDRESS_MOVE)
const MOVED = mapping(MOVED_SUBSCRIPTION)

const toMove: (row: RowOf<typeof ADDRESS_MOVE>) => AddressMove = MOVE.toRecord
const toMoved: (row: RowOf<typeof MOVED_SUBSCRIPTION>) => MovedSubscription = MOVED.toRecord

const MOVES = `SELECT ${MOVE.columns.join(', ')} FROM address_move WHERE`
const MOVED_ONES = `SELECT ${MOVED.columns.join(', ')} FROM moved_subscription WHERE`

export const MOVE_READER: Methods<MoveReader> = {
  find: find(`${MOVES} id = +?`, (id) => [id], toMove),
  ofAddress: find(`${MOVES} address = ?`, (address) => [address], toMove),
  toAddress: find(
    `${MOVES} new_address = ? AND moved_at IS NOT NULL AND undone_at IS NULL ORDER BY expires_at DESC LIMIT 1`,
    (address) => [address],
    toMove,
  ),
  askedOf: all(
    `${MOVES} new_address = ? AND moved_at IS NULL ORDER BY expires_at, id LIMIT +?`,
    (address, limit) => [address, limit],
    toMove,
  ),
  movedFrom: all(`${MOVED_ONES} old_id IN @wholes ORDER BY old_id`, (ids) => [ids], toMoved),
  movedTo: all(`${MOVED_ONES} new_id = +? ORDER BY old_id`, (id) => [id], toMoved),
  ofMove: all(`${MOVED_ONES} move = +? ORDER BY old_id`, (id) => [id], toMoved),
}

export const MOVE_STORE: Methods<MoveStore> = {
  ...MOVE_READER,
  put: write(
    `${insertInto('address_move', columnsOf(ADDRESS_MOVE))}
      ON CONFLICT (id) DO UPDATE SET ${excluded(columnsOf(ADDRESS_MOVE, 'id'))}`,
    (move) => MOVE.toValues(move),
  ),
  remove: write('DELETE FROM address_move WHERE id = ?', (id) => [id]),
  over: all(`${MOVES} expires_at <= ? ORDER BY expires_at, id LIMIT +?`, (now, limit) => [now, limit], toMove),
  link: write(
    `${insertInto('moved_subscription', columnsOf(MOVED_SUBSCRIPTION))}
      ON CONFLICT (old_id) DO UPDATE SET ${excluded(columnsOf(MOVED_SUBSCRIPTION, 'old_id'))}`,
    (moved) => MOVED.toValues(moved),
  ),
  unlink: write('DELETE FROM moved_subscription WHERE old_id = ?', (oldId) => [oldId]),
  touches: first(
    `SELECT id FROM address_move WHERE id = +? UNION ALL SELECT old_id FROM moved_subscription WHERE old_id = +?
      UNION ALL SELECT new_id FROM moved_subscription WHERE new_id = +? LIMIT 1`,
    (id) => [id, id, id],
    (row: object | undefined) => row !== undefined,
  ),
}
