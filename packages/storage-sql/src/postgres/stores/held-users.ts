import type { HeldUserStore } from '@rollcall/core'
import { valuesOf } from '../../tables/table.ts'
import { HELD_USER_COLUMNS, HELD_USER_VALUES, type HeldUserRow, heldUserRow, toHeldUser } from '../../tables/users.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const INSERT = statement(`INSERT INTO held_user (${HELD_USER_COLUMNS}) VALUES ($1, $2, $3, $4, $5)`)
const LOOK = rowStatement<HeldUserRow>(`SELECT ${HELD_USER_COLUMNS} FROM held_user WHERE id = $1 FOR UPDATE`)
const REMOVE = statement('DELETE FROM held_user WHERE id = $1')
const DUE = rowStatement<HeldUserRow>(
  `SELECT ${HELD_USER_COLUMNS} FROM held_user WHERE erases_at <= $1 ORDER BY erases_at, id LIMIT $2 FOR UPDATE`,
)

export const postgresHeldUserStore = (unit: Transaction): HeldUserStore => ({
  add: async (held) => {
    unit.lock(keyOf.user(held.user.id))
    unit.write(INSERT, ...valuesOf(HELD_USER_VALUES, heldUserRow(held)))
  },
  find: async (id) => {
    const row = await unit.firm(keyOf.user(id), LOOK, id)
    return row && toHeldUser(row)
  },
  remove: async (id) => {
    unit.lock(keyOf.user(id))
    unit.write(REMOVE, id)
  },
  due: async (now, limit) => (await unit.ask(DUE, now, limit)).map(toHeldUser),
})
