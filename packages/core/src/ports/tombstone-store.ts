import type { Tombstone } from '../users/tombstone.ts'
import type { UserId } from '../users/user-id.ts'

export interface TombstoneReader {
  find(id: UserId): Promise<Tombstone | undefined>
}

/** Ids of deleted users: opaque, kept for ever, so that their tokens stay refused and they never come back. */
export interface TombstoneStore extends TombstoneReader {
  /** Replaces the one that is there. */
  put(id: UserId, tombstone: Tombstone): Promise<void>
  has(id: UserId): Promise<boolean>
  /** For a user who was restored. */
  remove(id: UserId): Promise<void>
}
