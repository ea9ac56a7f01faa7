import type { Tombstone } from '@rollcall/core'

export const TOMBSTONE_COLUMNS = 'deleted_at, audit, erases_at, users, roles, subscriptions, mails, subscriptions_kept'

export type TombstoneRow = [
  deletedAt: number,
  audit: number,
  erasesAt: number | null,
  users: number,
  roles: number,
  subscriptions: number,
  mails: number,
  subscriptionsKept: number,
]

export const toTombstone = (row: TombstoneRow): Tombstone => ({
  deletedAt: row[0],
  audit: row[1],
  erasesAt: row[2] ?? undefined,
  erased: { users: row[3], roles: row[4], subscriptions: row[5], mails: row[6] },
  subscriptionsKept: row[7],
})
