import type { Instant } from '../instant.ts'
import type { UserId } from '../users/user-id.ts'

/** Ids of deleted users: opaque, kept for ever, so that their tokens stay refused and they never come back. */
export interface TombstoneStore {
  /** Adding one that is there already changes nothing. */
  add(id: UserId, deletedAt: Instant): Promise<void>
  has(id: UserId): Promise<boolean>
}
