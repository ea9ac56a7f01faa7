import { ADMIN, OPERATOR_PREFIX } from '../access/caller.ts'
import { type Person, parseReason } from '../audit/reason.ts'
import { InvalidInput } from '../errors.ts'
import { DAY, type Instant, SECOND } from '../instant.ts'
import type { DirectedStretch, Page, Position } from '../page.ts'
import type { Provisioned } from './provisioned.ts'

/** Opaque, the same as an access token's `sub`. */
export type UserId = string & { readonly __brand: 'UserId' }

/** What ids of users and of tokens are made of. */
export const VISIBLE_ASCII = /^[!-~]{1,255}$/

/** The text as a user id, or undefined if it cannot be one. */
export const asUserId = (text: string): UserId | undefined =>
  VISIBLE_ASCII.test(text) && text !== '.' && text !== '..' && !isOperator(text) ? (text as UserId) : undefined

/** In any letter case: a reader of the trail must not take a user for an operator. */
const isOperator = (text: string): boolean => text.slice(0, OPERATOR_PREFIX.length).toLowerCase() === OPERATOR_PREFIX

/** @throws {InvalidInput} the text can never be a user id */
export const parseUserId = (text: string, field = 'id'): UserId => {
  const id = asUserId(text)
  if (id !== undefined) return id
  const message = `Use 1 to 255 visible ASCII characters, not '.' or '..', and not beginning '${OPERATOR_PREFIX}', in capitals or not.`
  throw new InvalidInput([{ field, message }])
}

/** An account. Not a subscription: a subscriber is not a user. */
export interface User {
  readonly id: UserId
  /** In the spelling that goes on the wire; `emailKey` decides which addresses are the same. */
  readonly email: string
  readonly emailKey: string
  readonly name: string
  /** Without repetition, in alphabetical order. */
  readonly roles: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Tokens that were issued up to then are refused: it was deleted and restored, or suspended and resumed. */
  readonly tokensNotBefore?: Instant | undefined
  /** Set if it is suspended, and since when: all its tokens are refused. */
  readonly suspendedAt?: Instant | undefined
  /** The day on which a token or a session of its was last taken, as its midnight (UTC). Not a change of the user. */
  readonly lastSeenAt?: Instant | undefined
  /** Set if a directory provisions it. */
  readonly provisioned?: Provisioned | undefined
}

/** Whether it has the role, and may use it. */
export const isAdministrator = ({ roles, suspendedAt }: Pick<User, 'roles' | 'suspendedAt'>): boolean =>
  roles.includes(ADMIN) && suspendedAt === undefined

type Identity = Pick<User, 'id' | 'name' | 'email' | 'emailKey' | 'provisioned'>

/** What outlives a user must hold none of it: its names, those that a directory gave it too, and its address. */
export const identityOf = ({ id, name, email, emailKey, provisioned }: Identity): Omit<Person, 'whose'> => {
  const { userName, externalId, formatted, givenName, familyName } = provisioned ?? {}
  const parts = [givenName, familyName].filter((part) => part !== undefined).join(' ')
  // Its id stays for ever anyway.
  const otherNames = [userName, externalId, formatted, parts].filter((one) => one !== undefined && one !== id)
  return { name, otherNames: otherNames as readonly string[], addresses: [email, emailKey] }
}

/**
 * The trail outlives the user, so a reason must not identify them.
 * @throws {InvalidInput} the reason is too long, or contains the user's name or e-mail address
 */
export const parseDeletionReason = (reason: string | undefined, user: Identity): string | undefined =>
  parseReason(reason, { whose: "the user's", ...identityOf(user) })

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
  /** Of the same name, if it is an address. */
  readonly emailKey?: string | undefined
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
  readonly erasesAt: Instant
  /** What happens to subscriptions of the same address then. */
  readonly subscriptions: 'keep' | 'erase'
}

export interface HeldUserReader {
  find(id: UserId): Promise<HeldUser | undefined>
  /** In the order of their ids, character by character. */
  list(request: { readonly after: string | undefined; readonly limit: number }): Promise<readonly HeldUser[]>
}

/** Users who are deleted, but may be restored for a while. No other store knows of them. */
export interface HeldUserStore extends HeldUserReader {
  /** Throws, and so undoes its unit, if this id is held already. */
  add(held: HeldUser): Promise<void>
  /** Removes every trace of it. */
  remove(id: UserId): Promise<void>
  /** Up to `limit` whose `erasesAt` is at or before `now`, soonest first. */
  due(now: Instant, limit: number): Promise<readonly HeldUser[]>
}

/**
 * Up to when tokens are refused from then on that were issued before. One that came right after an earlier such time says
 * that it was issued in the second after that.
 */
export const refusedUpTo = (at: Instant, { tokensNotBefore: before }: Pick<User, 'tokensNotBefore'>): Instant =>
  before === undefined ? at : Math.max(at, Math.floor(before / SECOND) * SECOND + SECOND)

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
