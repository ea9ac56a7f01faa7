import type { Instant } from '../instant.ts'
import type { User } from './user.ts'

/** A deleted user within the grace: gone for everybody, but for who restores it. */
export interface HeldUser {
  readonly user: User
  readonly deletedAt: Instant
  /** When it is erased. */
  readonly erasesAt: Instant
  /** What becomes of subscriptions of the same address then. */
  readonly subscriptions: 'keep' | 'erase'
}
