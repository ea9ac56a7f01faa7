import type { HeldUser, User } from '@rollcall/core'

export const HELD_USER_COLUMNS = 'record, deleted_at, erases_at, subscriptions'

export type HeldUserRow = [record: string, deletedAt: number, erasesAt: number, subscriptions: 'keep' | 'erase']

/** The user goes in as it came out: nothing looks into it meanwhile. */
export const heldRecord = (user: User): string => JSON.stringify(user)

export const toHeldUser = ([record, deletedAt, erasesAt, subscriptions]: HeldUserRow): HeldUser => ({
  user: JSON.parse(record),
  deletedAt,
  erasesAt,
  subscriptions,
})
