import type { TombstoneReader, TombstoneStore } from '@rollcall/core'
import {
  type OwnedTombstoneRow,
  TOMBSTONE_COLUMNS,
  type TombstoneRow,
  toOwnedTombstone,
  toTombstone,
} from '../../rows/tombstone-row.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const BY_ID = `SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id = $1`
const FIND = statement(BY_ID)
const LIST = statement(`SELECT ${TOMBSTONE_COLUMNS}, id FROM tombstone WHERE id > $1 ORDER BY id LIMIT $2`)
const LOOK = statement(`${BY_ID} FOR UPDATE`)
const REPLACED = TOMBSTONE_COLUMNS.split(', ').map((column) => `${column} = excluded.${column}`)
const PUT = statement(
  `INSERT INTO tombstone (id, ${TOMBSTONE_COLUMNS}) VALUES (${placeholders(9)})
    ON CONFLICT (id) DO UPDATE SET ${REPLACED.join(', ')}`,
)
const REMOVE = statement('DELETE FROM tombstone WHERE id = $1')

export const postgresTombstoneReader = (ask: Ask): TombstoneReader => ({
  find: async (id) => {
    const [row] = await ask<TombstoneRow>(FIND, id)
    return row && toTombstone(row)
  },
  list: async ({ after = '', limit }) => (await ask<OwnedTombstoneRow>(LIST, after, limit)).map(toOwnedTombstone),
})

export const postgresTombstoneStore = (unit: Transaction): TombstoneStore => {
  const look = (id: string) => unit.firm<TombstoneRow>(keyOf.user(id), LOOK, id)
  return {
    ...postgresTombstoneReader(unit.ask),
    find: async (id) => {
      const row = await look(id)
      return row && toTombstone(row)
    },
    has: async (id) => (await look(id)) !== undefined,
    put: async (id, { deletedAt, audit, erasesAt, erased, subscriptionsKept }) => {
      const { users, roles, subscriptions, mails } = erased
      unit.lock(keyOf.user(id))
      unit.write(PUT, id, deletedAt, audit, erasesAt ?? null, users, roles, subscriptions, mails, subscriptionsKept)
    },
    remove: async (id) => {
      unit.lock(keyOf.user(id))
      unit.write(REMOVE, id)
    },
  }
}
