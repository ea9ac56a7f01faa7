import type { Instant } from '../instant.ts'
import type { User } from './user.ts'

/** A deleted user within the grace period: hidden, and only restorable. */
export interface HeldUser {
  readonly user: User
  readonly deletedAt: Instant
  /** When it is erased. */
  readonly erasesAt: Instant
  /** What happens to subscriptions of the same address then. */
  readonly subscriptions: 'keep' | 'erase'
}
