import { DAY, type Instant } from '../instant.ts'
import type { DirectedStretch, Page, Position } from '../page.ts'
import type { User, UserId } from './user.ts'

/**
 * What is known of a subject and a token of it: its stored roles, that it was deleted or is suspended, that its token was
 * revoked, or nothing (undefined).
 */
export type AccountStatus = StoredAccountStatus | 'deleted' | 'revoked' | 'suspended' | undefined

export interface StoredAccountStatus {
  readonly roles: readonly string[]
  /** Tokens that were issued up to then are refused. */
  readonly tokensNotBefore?: Instant | undefined
  /** Raised by every change of the user, if the storage has a shorter way for changes of users than a unit of work. */
  readonly version?: number | undefined
}

export interface UserFilter extends DirectedStretch {
  /** Each is the beginning of one of the user's terms: `userTerms`. No wildcards. */
  readonly words?: readonly string[] | undefined
  /** The whole name of a role. */
  readonly role?: string | undefined
  /** Whether it is suspended. */
  readonly suspended?: boolean | undefined
}

export interface InactiveFilter extends DirectedStretch, Pick<UserFilter, 'role' | 'suspended'> {
  /** Midnight (UTC). */
  readonly before: Instant
}

/** More than a list has, by far: a place for each user and day, and all of them safe integers until the year 2149. */
export const PLACES_PER_DAY = 2 ** 37

/** Where a user stands in the list of inactive ones, by its place in the list of all. */
export const inactivePlace = ({ lastSeenAt, createdAt }: Pick<User, 'createdAt' | 'lastSeenAt'>, place: Position) =>
  Math.floor((lastSeenAt ?? createdAt) / DAY) * PLACES_PER_DAY + place

/**
 * What a directory asks for. A user whom none provisions is known by its id, and by its e-mail address unless that is the
 * `userName` of another: a name is one user's.
 */
export interface ProvisionedFilter {
  /** As `userNameKey` has it. */
  readonly userName?: string | undefined
  readonly externalId?: string | undefined
  readonly suspended?: boolean | undefined
}

export interface UserReader {
  /** Set if a host keeps its users itself, and may change them without a record in the audit trail. */
  readonly keptByHost?: boolean | undefined
  /** Absence is `undefined`, never an error: only the caller knows whether it matters. */
  find(id: UserId): Promise<User | undefined>
  /** The one with this e-mail key, by an index; left out if there is none, and in units of work. */
  withEmail?(emailKey: string): Promise<User | undefined>
  /** One look at users, tombstones and revoked tokens. Takes any text. */
  accountStatus(subject: string, tokenId?: string | undefined): Promise<AccountStatus>
  list(filter: UserFilter): Promise<Page<User>>
  /**
   * Those who were neither seen nor created on that day or later, by an index, those first who were longest not. Left out
   * where it is not kept when users were seen, and in units of work.
   */
  listInactive?(filter: InactiveFilter): Promise<Page<User>>
  /** In the order in which they came, from the `offset`-th on; left out if a host keeps users, and in units of work. */
  listProvisioned?(filter: ProvisionedFilter, offset: number, limit: number): Promise<readonly User[]>
  /** How many there are of these. */
  countProvisioned?(filter: ProvisionedFilter): Promise<number>
  /**
   * How many stored users have the role and are not suspended. In a unit of work it stays true until that ends, also
   * against other processes.
   */
  countWithRole(role: string): Promise<number>
}

export interface UserStore
  extends Omit<UserReader, 'countProvisioned' | 'listInactive' | 'listProvisioned' | 'withEmail'> {
  /** The status of who asks for the unit, and of its token: it stays so until the unit ends, for many units at a time. */
  callerStatus(subject: string, tokenId?: string | undefined): Promise<AccountStatus>
  /**
   * Stores the user; replaces the one with the same id, which keeps its place in lists.
   * @throws {UserDeleted} the id has a tombstone; decided by one row that every change of the id goes through, not by a
   *   look before, so that a deletion that is under way counts
   * @throws {EmailTaken} another user has the same e-mail key; decided by a unique index, not by a look before
   * @throws {UserNameTaken} the same of the key of the name that a directory gives it
   */
  put(user: User): Promise<void>
  /** Removes every trace of the user that this store holds. */
  erase(id: UserId): Promise<void>
  /** That it was seen on the day that begins then. Nothing if it is not stored, or was seen later. */
  noteSeen(id: UserId, day: Instant): Promise<void>
}

/**
 * Users as a host keeps them itself, on tables of its own. A storage adds `accountStatus`, which looks at more.
 * A host that does not keep `suspendedAt` has no suspended users: to suspend one is then refused. When users were seen is
 * not kept of those of a host, and no directory provisions them over SCIM.
 */
export interface UserRepository
  extends Omit<UserStore, 'accountStatus' | 'callerStatus' | 'countWithRole' | 'keptByHost' | 'noteSeen'> {
  /** How many stored users have the role, suspended ones with them: a storage takes those away. */
  countWithRole(role: string): Promise<number>
}

/** A deleted user within the grace period: hidden, and only restorable. */
export interface HeldUser {
  readonly user: User
  readonly deletedAt: Instant
  /** When it is erased. */
  readonly erasesAt: Instant
  /** What happens to subscriptions of the same address then. */
  readonly subscriptions: 'keep' | 'erase'
}

export interface HeldUserReader {
  /** In the order of their ids, character by character. */
  list(request: { readonly after: string | undefined; readonly limit: number }): Promise<readonly HeldUser[]>
}

/** Users who are deleted, but may be restored for a while. No other store knows of them. */
export interface HeldUserStore extends HeldUserReader {
  /** Throws, and so undoes its unit, if this id is held already. */
  add(held: HeldUser): Promise<void>
  find(id: UserId): Promise<HeldUser | undefined>
  /** Removes every trace of it. */
  remove(id: UserId): Promise<void>
  /** Up to `limit` whose `erasesAt` is at or before `now`, soonest first. */
  due(now: Instant, limit: number): Promise<readonly HeldUser[]>
}

/** What stays of a deleted user: the id, when it was, and how much went. Nothing of the person. */
export interface Tombstone {
  readonly deletedAt: Instant
  /** The number of the audit record that says who did it, and why. */
  readonly audit: number
  /** Set while the deletion can still be undone: when everything goes. */
  readonly erasesAt: Instant | undefined
  readonly erased: ErasedCounts
  /** Subscriptions of the same address that were left. */
  readonly subscriptionsKept: number
}

export interface ErasedCounts {
  readonly users: number
  readonly roles: number
  readonly subscriptions: number
  /** Queued, or kept as files. */
  readonly mails: number
  /** Access tokens that were listed; all of them stay refused. */
  readonly tokens: number
}

export const NOTHING_ERASED: ErasedCounts = { users: 0, roles: 0, subscriptions: 0, mails: 0, tokens: 0 }

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
