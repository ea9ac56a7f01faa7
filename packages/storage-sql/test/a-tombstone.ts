import { NOTHING_ERASED, type Stores, type Tombstone, type UserId } from '@rollcall/core'

/** Any: what it says does not matter. */
export const aTombstone: Tombstone = {
  deletedAt: 1,
  audit: 1,
  erasesAt: undefined,
  erased: NOTHING_ERASED,
  subscriptionsKept: 0,
}

/** On PostgreSQL it shares its transaction with others. */
export const putShared =
  (id: string) =>
  ({ tombstones }: Stores): Promise<void> =>
    tombstones.put(id as UserId, aTombstone)

/** It has a transaction to itself: units that look for held users share none. */
export const putAlone = (id: string) => async (stores: Stores) => {
  await stores.heldUsers.find(id as UserId)
  await putShared(id)(stores)
}
