import { NOTHING_ERASED, type Tombstone } from '@rollcall/core'

/** Any: what it says does not matter. */
export const aTombstone: Tombstone = {
  deletedAt: 1,
  audit: 1,
  erasesAt: undefined,
  erased: NOTHING_ERASED,
  subscriptionsKept: 0,
}
