import type { OwnedTombstone, Tombstone, UserId } from '@rollcall/core'

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

export type OwnedTombstoneRow = [...TombstoneRow, id: string]

export const toTombstone = (row: TombstoneRow | OwnedTombstoneRow): Tombstone => ({
  deletedAt: row[0],
  audit: row[1],
  erasesAt: row[2] ?? undefined,
  erased: { users: row[3], roles: row[4], subscriptions: row[5], mails: row[6] },
  subscriptionsKept: row[7],
})

export const toOwnedTombstone = (row: OwnedTombstoneRow): OwnedTombstone => ({
  id: row[8] as UserId,
  tombstone: toTombstone(row),
})
