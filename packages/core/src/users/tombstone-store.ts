import type { Tombstone } from './tombstone.ts'
import type { UserId } from './user-id.ts'

export interface TombstoneReader {
  find(id: UserId): Promise<Tombstone | undefined>
  /** In the order of their ids, character by character. */
  list(request: { readonly after: UserId | undefined; readonly limit: number }): Promise<readonly OwnedTombstone[]>
}

export interface OwnedTombstone {
  readonly id: UserId
  readonly tombstone: Tombstone
}

/** Ids of deleted users: opaque, kept for ever, so that their tokens stay refused and they never come back. */
export interface TombstoneStore extends TombstoneReader {
  /** Replaces the one that is there. */
  put(id: UserId, tombstone: Tombstone): Promise<void>
  has(id: UserId): Promise<boolean>
  /** For a user who was restored. */
  remove(id: UserId): Promise<void>
}
