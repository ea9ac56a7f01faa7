import type { TombstoneReader, TombstoneStore } from '@rollcall/core'
import { columnsOf, excluded, valuesOf } from '../../tables/table.ts'
import {
  TOMBSTONE,
  TOMBSTONE_COLUMNS,
  TOMBSTONE_VALUES,
  type TombstoneRow,
  tombstoneRow,
  toOwnedTombstone,
  toTombstone,
} from '../../tables/users.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const BY_ID = `SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id = $1`
const FIND = rowStatement<TombstoneRow>(BY_ID)
const LIST = rowStatement<TombstoneRow>(`SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id > $1 ORDER BY id LIMIT $2`)
const LOOK = rowStatement<TombstoneRow>(`${BY_ID} FOR UPDATE`)
const PUT = statement(
  `INSERT INTO tombstone (${TOMBSTONE_COLUMNS}) VALUES (${placeholders(TOMBSTONE_VALUES.length)})
    ON CONFLICT (id) DO UPDATE SET ${excluded(columnsOf(TOMBSTONE, 'id'))}`,
)
const REMOVE = statement('DELETE FROM tombstone WHERE id = $1')

export const postgresTombstoneReader = (ask: Ask): TombstoneReader => ({
  find: async (id) => {
    const [row] = await ask(FIND, id)
    return row && toTombstone(row)
  },
  list: async ({ after = '', limit }) => (await ask(LIST, after, limit)).map(toOwnedTombstone),
})

export const postgresTombstoneStore = (unit: Transaction): TombstoneStore => {
  const look = (id: string) => unit.firm(keyOf.user(id), LOOK, id)
  return {
    ...postgresTombstoneReader(unit.ask),
    find: async (id) => {
      const row = await look(id)
      return row && toTombstone(row)
    },
    has: async (id) => (await look(id)) !== undefined,
    put: async (id, tombstone) => {
      unit.lock(keyOf.user(id))
      unit.write(PUT, ...valuesOf(TOMBSTONE_VALUES, tombstoneRow(id, tombstone)))
    },
    remove: async (id) => {
      unit.lock(keyOf.user(id))
      unit.write(REMOVE, id)
    },
  }
}
