import type { Caller } from '../access/caller.ts'
import type { AuditRecord } from '../audit/audit-store.ts'
import { InvalidInput, MalformedRequest, ReceiptNotFound, UserDeleted, UserNotFound } from '../errors.ts'
import { DAY, type Instant } from '../instant.ts'
import { parseDay } from '../numbers/periods.ts'
import {
  type Page,
  type PageRequest,
  type SortedPage,
  type SortedPageRequest,
  sortedPage,
  sortedStretchOf,
  stretchOf,
} from '../page.ts'
import { readAll } from '../read-all.ts'
import { searchWords } from '../search-terms.ts'
import { asEmailAddress } from '../subscriptions/email-address.ts'
import { UseCase } from '../use-case.ts'
import { userNameKey } from './provisioned.ts'
import {
  asUserId,
  type HeldUser,
  type InactiveFilter,
  type ProvisionedFilter,
  type Tombstone,
  type User,
  type UserId,
  type UserReader,
} from './user.ts'

export class GetUserUseCase extends UseCase<'access', 'users'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /**
   * @throws {UserNotFound} no such user, or the caller may not know of it: the caller cannot distinguish the two
   * @throws {UserDeleted} the id existed; only for callers who may read users
   */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<User> {
    const { access, readers } = this.ports
    const { permission, action } = GetUserUseCase
    if (caller.id !== userId && !(await access.allows(caller, permission, userId)))
      throw access.refused(caller, { action, target: userId }, new UserNotFound())
    return await findUser(readers.users, userId)
  }
}

/**
 * @throws {UserNotFound} there never was such a user
 * @throws {UserDeleted} the id existed
 */
export const findUser = async (users: Pick<UserReader, 'find' | 'accountStatus'>, userId: string): Promise<User> => {
  const id = asUserId(userId)
  const user = id && (await users.find(id))
  if (user) return user
  throw id && (await users.accountStatus(id)) === 'deleted' ? new UserDeleted() : new UserNotFound()
}

export interface ListUsersCommand extends SortedPageRequest {
  /** Words, each the beginning of the id, of a word of the name, of the e-mail address or of its domain. */
  readonly query?: string | undefined
  readonly role?: string | undefined
  /** Only those that are suspended, or only those that are not. */
  readonly suspended?: boolean | undefined
  /** A day, as `2026-01-31`: only those who were neither seen nor created on it or later. The oldest are then the longest inactive. */
  readonly inactiveSince?: string | undefined
}

export class ListUsersUseCase extends UseCase<'access' | 'clock' | 'domainNames' | 'reads', 'users'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /** @throws {InvalidInput} the limit, the order, the query, the role or the day is not valid */
  async execute(
    { query, role, suspended, inactiveSince, ...request }: ListUsersCommand,
    caller: Caller,
  ): Promise<SortedPage<User>> {
    const attempt = await this.ports.access.require(caller, ListUsersUseCase)
    const { stretch, words, before } = readAll({
      stretch: () => sortedStretchOf(request),
      words: () => searchWords(query, this.ports.domainNames),
      role: () => this.#requireRole(role),
      before: () => this.#readDay(inactiveSince, query),
    })
    const filter = { ...stretch, role, suspended }
    const page =
      before === undefined
        ? await this.ports.readers.users.list({ ...filter, words })
        : await this.#listInactive({ ...filter, before })
    this.ports.reads.note(caller, attempt)
    const { items, ...rest } = sortedPage(stretch, page)
    // A host that does not know of suspensions lists all of them.
    const isWanted = ({ suspendedAt }: User) => suspended === undefined || (suspendedAt !== undefined) === suspended
    return { ...rest, items: items.filter(isWanted) }
  }

  #requireRole(role: string | undefined): void {
    const { roles } = this.ports.access.table
    if (role !== undefined && !roles.includes(role))
      throw new InvalidInput([{ field: 'role', message: `Use one of these roles: ${roles.join(', ')}.` }])
  }

  /** The midnight (UTC) with which the day begins. */
  #readDay(since: string | undefined, query: string | undefined): Instant | undefined {
    const day = parseDay(since, 'inactive_since')
    if (day === undefined) return undefined
    if (query) throw notInactive('Leave out the query: inactive users are not searched by a text.')
    if (day * DAY > this.ports.clock.now() + DAY) throw notInactive('This is in the future. Correct it.')
    return day * DAY
  }

  async #listInactive(filter: InactiveFilter): Promise<Page<User>> {
    const { users } = this.ports.readers
    if (users.listInactive === undefined)
      throw notInactive('The host keeps these users itself, and does not keep when they were seen. Leave this out.')
    return await users.listInactive(filter)
  }
}

const notInactive = (message: string) => new InvalidInput([{ field: 'inactive_since', message }])

export interface HeldUserList {
  readonly items: readonly HeldUser[]
  /** The cursor of the next page, which is the id of the last user of this one; undefined at the end. */
  readonly next: string | undefined
}

const LONGEST_ID = 255

/** Users who are deleted and can be restored: shown to who may do that. */
export class ListHeldUsersUseCase extends UseCase<'access' | 'reads' | 'clock', 'heldUsers'> {
  static readonly permission = 'users:restore'
  static readonly action = 'user.read'

  /**
   * In the order of their ids; one whose grace is over and whose erasure is late is left out of its page.
   * @throws {MalformedRequest} the cursor did not come from a list
   * @throws {InvalidInput} the limit is not valid
   */
  async execute({ cursor, limit: most }: PageRequest, caller: Caller): Promise<HeldUserList> {
    const attempt = await this.ports.access.require(caller, ListHeldUsersUseCase)
    const { limit } = stretchOf({ limit: most })
    if ((cursor?.length ?? 0) > LONGEST_ID)
      throw new MalformedRequest("This cursor is not valid. Use the 'next' of the list before, or leave it out.")
    const found = await this.ports.readers.heldUsers.list({ after: cursor, limit: limit + 1 })
    this.ports.reads.note(caller, attempt)
    const shown = found.slice(0, limit)
    const now = this.ports.clock.now()
    return {
      items: shown.filter(({ erasesAt }) => erasesAt > now),
      next: found.length > limit ? shown.at(-1)?.user.id : undefined,
    }
  }
}

export interface ListProvisionedUsersCommand extends Omit<ProvisionedFilter, 'emailKey'> {
  /** As the directory writes it. */
  readonly userName?: string | undefined
  /** How many of them come before. */
  readonly offset: number
  /** May be 0. */
  readonly limit: number
}

export interface ProvisionedUsers {
  readonly items: readonly User[]
  readonly total: number
}

export class ListProvisionedUsersUseCase extends UseCase<'access' | 'domainNames' | 'reads', 'users'> {
  static readonly permission = GetUserUseCase.permission
  static readonly action = GetUserUseCase.action

  /** @throws {InsufficientPermissions} */
  async execute({ offset, limit, ...filter }: ListProvisionedUsersCommand, caller: Caller): Promise<ProvisionedUsers> {
    const attempt = await this.ports.access.require(caller, ListProvisionedUsersUseCase)
    const { users } = this.ports.readers
    const sought = { ...filter, ...this.#namesOf(filter) }
    const total = await users.countProvisioned?.(sought)
    if (total === undefined) throw new TypeError('A host that keeps its users itself lists them itself.')
    const items = limit === 0 ? [] : await users.listProvisioned?.(sought, offset, limit)
    this.ports.reads.note(caller, attempt)
    return { items: items ?? [], total }
  }

  #namesOf({ userName }: ProvisionedFilter): Pick<ProvisionedFilter, 'emailKey' | 'userName'> {
    if (userName === undefined) return {}
    return { userName: userNameKey(userName), emailKey: asEmailAddress(userName, this.ports.domainNames)?.key }
  }
}

/** The result of a deletion: for those who must prove it later. */
export interface ErasureReceipt {
  readonly userId: UserId
  readonly tombstone: Tombstone
  /** Who did it, when, by which way, and why; its number once it is sealed. */
  readonly record: AuditRecord | undefined
}

export class GetErasureReceiptUseCase extends UseCase<'access', 'audit' | 'tombstones'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /** @throws {ReceiptNotFound} no user of this id was deleted */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<ErasureReceipt> {
    await this.ports.access.require(caller, GetErasureReceiptUseCase, userId)
    const id = asUserId(userId)
    const tombstone = id && (await this.ports.readers.tombstones.find(id))
    if (!tombstone) throw new ReceiptNotFound()
    return { userId: id, tombstone, record: await this.ports.readers.audit.find(tombstone.audit) }
  }
}
