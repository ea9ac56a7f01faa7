import type { HeldUserStore } from '@rollcall/core'
import { HELD_USER_COLUMNS, type HeldUserRow, heldRecord, toHeldUser } from '../../rows/held-user-row.ts'
import { keyOf } from '../lock-keys.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const INSERT = statement(`INSERT INTO held_user (${HELD_USER_COLUMNS}, id) VALUES ($1, $2, $3, $4, $5)`)
const LOOK = statement(`SELECT ${HELD_USER_COLUMNS} FROM held_user WHERE id = $1 FOR UPDATE`)
const REMOVE = statement('DELETE FROM held_user WHERE id = $1')
const DUE = statement(
  `SELECT ${HELD_USER_COLUMNS} FROM held_user WHERE erases_at <= $1 ORDER BY erases_at, id LIMIT $2 FOR UPDATE`,
)

export const postgresHeldUserStore = (unit: Transaction): HeldUserStore => ({
  add: async ({ user, deletedAt, erasesAt, subscriptions }) => {
    unit.lock(keyOf.user(user.id))
    unit.write(INSERT, heldRecord(user), deletedAt, erasesAt, subscriptions, user.id)
  },
  find: async (id) => {
    const row = await unit.firm<HeldUserRow>(keyOf.user(id), LOOK, id)
    return row && toHeldUser(row)
  },
  remove: async (id) => {
    unit.lock(keyOf.user(id))
    unit.write(REMOVE, id)
  },
  due: async (now, limit) => (await unit.ask<HeldUserRow>(DUE, now, limit)).map(toHeldUser),
})
