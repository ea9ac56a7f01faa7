import type { Instant } from '../instant.ts'
import type { HeldUser } from './held-user.ts'
import type { UserId } from './user-id.ts'

/** Users who are deleted, but may be restored for a while. No other store knows of them. */
export interface HeldUserStore {
  /** Throws, and so undoes its unit, where this id is held already. */
  add(held: HeldUser): Promise<void>
  find(id: UserId): Promise<HeldUser | undefined>
  /** Removes every trace of it. */
  remove(id: UserId): Promise<void>
  /** Up to `limit` whose `erasesAt` is at or before `now`, soonest first. */
  due(now: Instant, limit: number): Promise<readonly HeldUser[]>
}
