import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { User } from './user.ts'
import type { UserId } from './user-id.ts'

/** What is known of a subject: its stored roles, that it was deleted, or nothing (undefined). */
export type AccountStatus = StoredAccountStatus | 'deleted' | undefined

export interface StoredAccountStatus {
  readonly roles: readonly string[]
  /** Tokens that were issued up to then are refused. */
  readonly tokensNotBefore?: Instant | undefined
}

export interface UserFilter extends Stretch {
  /** Part of the id, the name or the e-mail address, whatever the case of its letters, in any script. No wildcards. */
  readonly query?: string | undefined
  /** The whole name of a role. */
  readonly role?: string | undefined
}

export interface UserReader {
  /** Absence is `undefined`, never an error: only the caller knows whether it matters. */
  find(id: UserId): Promise<User | undefined>
  /** One look at both users and tombstones. Takes any text. */
  accountStatus(subject: string): Promise<AccountStatus>
  list(filter: UserFilter): Promise<Page<User>>
  /** How many stored users have the role. In a unit of work it stays true until that ends, also against other processes. */
  countWithRole(role: string): Promise<number>
}

export interface UserStore extends UserReader {
  /**
   * Stores the user; replaces the one with the same id, which keeps its place in lists.
   * @throws {EmailTaken} another user has the same e-mail key; decided by a unique index, not by a look before
   */
  put(user: User): Promise<void>
  /** Removes every trace of the user that this store holds. */
  erase(id: UserId): Promise<void>
}

/** Users as a host keeps them itself, on tables of its own. A storage adds `accountStatus`, which also looks at tombstones. */
export type UserRepository = Omit<UserStore, 'accountStatus'>
