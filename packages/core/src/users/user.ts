import { ADMIN } from '../access/roles.ts'
import type { Instant } from '../instant.ts'
import type { UserId } from './user-id.ts'

/** An account. Not a subscription: a subscriber is not a user. */
export interface User {
  readonly id: UserId
  /** As given; `emailKey` decides which addresses are the same. */
  readonly email: string
  readonly emailKey: string
  readonly name: string
  /** Without repetition, in alphabetical order. */
  readonly roles: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Tokens that were issued up to then are refused: it was deleted, and restored. */
  readonly tokensNotBefore?: Instant | undefined
}

export const isAdministrator = (user: Pick<User, 'roles'>): boolean => user.roles.includes(ADMIN)
