import type { Guarded } from '../access/access-control.ts'
import { ADMIN, type Caller } from '../access/caller.ts'
import { runFor } from '../access/run-for.ts'
import type { AuditEntry } from '../audit/audit-store.ts'
import { InsufficientPermissions, LastAdministrator, SuspensionNotKept, UserNotFound } from '../errors.ts'
import type { EventType } from '../events/event-store.ts'
import { addressHash } from '../subscriptions/email-address.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import type { UserChange, UserFacts } from './decide-user-change.ts'
import { asUserId, isAdministrator, type User, type UserId } from './user.ts'
import type { MadeUserChange, RecordedUserChange } from './user-changes.ts'

export type ChangePort = 'access' | 'digests' | 'trail' | 'unitOfWork' | 'userChanges'

/** What is to be done with one user. */
export interface OrderedChange {
  /** For the trail. */
  readonly reason?: string | undefined
  decide(facts: UserFacts): UserChange
  /** Deletes the user within a unit of work. */
  remove?(stores: Stores, user: User, record: AuditEntry): Promise<MadeUserChange>
  /** Whether it takes a unit of work: a deletion that does more than to erase a user for ever, or what a directory says. */
  readonly inUnit?: boolean
}

/**
 * Carries out a change of one user, with its record and its event: the shorter way if the storage has one and it will do,
 * otherwise in a unit of work. `read` reads the command, once it is known that the caller may.
 * @throws {InsufficientPermissions} the caller may not, whether or not the user exists
 * @throws {Unauthenticated} the caller was deleted or suspended meanwhile, or its token was revoked
 * @throws what `read` and `decide` throw
 */
export const changeUser = async (
  { access, digests, trail, unitOfWork, userChanges }: Needs<ChangePort>,
  guarded: Guarded,
  caller: Caller,
  target: string,
  read: (id: UserId | undefined) => OrderedChange,
): Promise<MadeUserChange> => {
  const attempt = await access.require(caller, guarded, target)
  const userId = asUserId(target)
  const order = read(userId)
  if (userId === undefined) throw new UserNotFound()
  const recordOf = (user?: User) => trail.entry(caller, attempt, order.reason, user)
  const decideFor = (facts: UserFacts): UserChange => {
    const isScim = caller.channel === 'scim'
    // First: what else stands in the way of an administrator is none of a directory's business.
    if (isScim) requireNoAdministrator(facts.user)
    const change = order.decide(facts)
    if (isScim && change.kind === 'store') requireNoAdministrator(change.user)
    return change
  }
  const decide = (facts: UserFacts): RecordedUserChange | undefined => {
    const change = decideFor(facts)
    if (change.kind === 'store') return { ...change, record: recordOf(change.user) }
    if (change.kind !== 'delete') return undefined
    return { ...change, address: addressHash(digests, change.user.emailKey), record: recordOf() }
  }
  try {
    const made = order.inUnit ? undefined : await userChanges?.make({ userId, caller, decide })
    if (made !== undefined) return made
    return await runFor({ access, unitOfWork }, guarded, caller, userId, async (stores, requireSame) => {
      const facts = await factsOf(stores, userId)
      await requireSame()
      const change = decideFor(facts)
      if (change.kind === 'store') await store(stores, change, recordOf(change.user))
      else if (change.kind === 'delete' && order.remove) return await order.remove(stores, change.user, recordOf())
      else if (change.kind !== 'none') throw new TypeError('A unit of work can decide every change of a user.')
      return { user: change.user, subscriptionsKept: 0, isSame: change.kind === 'none' }
    })
  } catch (error) {
    if (error instanceof LastAdministrator || error instanceof AdministratorOverScim)
      access.refused(caller, attempt, error)
    throw error
  }
}

class AdministratorOverScim extends InsufficientPermissions {}

/** The token of a directory is kept where administrators do not see it: it makes none, and changes none. */
const requireNoAdministrator = (user: User | undefined): void => {
  if (user?.roles.includes(ADMIN))
    throw new AdministratorOverScim(
      'Over SCIM no administrator is made, changed or deleted. An administrator of Rollcall must do this, or take the role away first.',
    )
}

const factsOf = async ({ users, tombstones }: Stores, id: UserId): Promise<UserFacts> => {
  const user = await users.find(id)
  const isDeleted = user === undefined && (await tombstones.has(id))
  return { user, isDeleted, administrators: user && isAdministrator(user) ? await users.countWithRole(ADMIN) : 0 }
}

const store = async (
  stores: Stores,
  { user, event }: { readonly user: User; readonly event: EventType },
  record: AuditEntry,
): Promise<void> => {
  await storeUser(stores, user, event)
  await requireKept(stores, user)
  await stores.audit.append(record)
}

/**
 * Stores the user, with the event of that.
 * @throws {EmailTaken} another user has this address
 */
export const storeUser = async (
  { users, events }: Pick<Stores, 'users' | 'events'>,
  user: User,
  type: EventType,
): Promise<void> => {
  await users.put(user)
  await events.append({ type, subject: user.id, at: user.updatedAt })
}

/**
 * A host that does not know of suspensions stores the user without: nothing would be suspended, and old tokens would be good
 * again afterwards.
 * @throws {SuspensionNotKept}
 */
export const requireKept = async (
  { users }: Pick<Stores, 'users'>,
  { id, suspendedAt, tokensNotBefore }: User,
): Promise<void> => {
  const kept = users.keptByHost ? await users.find(id) : undefined
  if (kept && (kept.suspendedAt !== suspendedAt || kept.tokensNotBefore !== tokensNotBefore))
    throw new SuspensionNotKept()
}
