import { NOTHING_ERASED, type Stores, type Tombstone, type UserId } from '@rollcall/core'

/** Any: what it says does not matter. */
export const aTombstone: Tombstone = {
  deletedAt: 1,
  audit: 1,
  erasesAt: undefined,
  erased: NOTHING_ERASED,
  subscriptionsKept: 0,
}

export const putTombstone =
  (id: string) =>
  ({ tombstones }: Stores): Promise<void> =>
    tombstones.put(id as UserId, aTombstone)
