import { LastAdministrator, UserDeleted, UserNotFound } from '../errors.ts'
import type { EventType } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { isAdministrator, parseDeletionReason, refusedUpTo, type User, type UserId } from './user.ts'

/** What is stored under a user's id. */
export interface UserFacts {
  readonly user: User | undefined
  /** Whether the id was a deleted user's. */
  readonly isDeleted: boolean
  /** How many stored administrators may use the role; undefined if that was not looked at, under a lock. */
  readonly administrators: number | undefined
}

export type UserChange =
  | { readonly kind: 'store'; readonly user: User; readonly event: EventType }
  | { readonly kind: 'delete'; readonly user: User }
  /** It is so already. */
  | { readonly kind: 'none'; readonly user: User }
  /** It depends on how many administrators there are. */
  | { readonly kind: 'unsure' }

/** Whether what is stored is what the caller knows. */
interface Conditional {
  readonly precondition?: Precondition<User> | undefined
}

interface Reasoned extends Conditional {
  readonly reason?: string | undefined
}

/**
 * Creates the user, or replaces what the fields say of it. `read` reads them, once the condition holds.
 * @throws {UserDeleted}
 * @throws {PreconditionFailed}
 * @throws {LastAdministrator}
 */
export const decidePut = (
  facts: UserFacts,
  { id, read, suspended, precondition }: PutChange,
  now: Instant,
): UserChange => {
  if (facts.isDeleted) throw new UserDeleted()
  requireCondition(precondition, facts.user)
  const fields = read()
  if (facts.user !== undefined) return changed(facts, { ...facts.user, ...fields }, now)
  const suspension = suspended && { suspendedAt: now, tokensNotBefore: now }
  const user = { id, createdAt: now, ...fields, ...suspension, updatedAt: now }
  return { kind: 'store', event: 'user.created', user }
}

interface PutChange extends Conditional {
  readonly id: UserId
  readonly read: () => UserFields
  readonly suspended?: boolean | undefined
}

/** What of a user a caller decides. */
export type UserFields = Pick<User, 'email' | 'emailKey' | 'name' | 'roles' | 'provisioned'>

/**
 * Changes the fields that are given; nothing if none of them is different. `read` reads them, once the condition holds.
 * @throws {UserNotFound}
 * @throws {UserDeleted}
 * @throws {PreconditionFailed}
 * @throws {LastAdministrator}
 */
export const decidePatch = (
  facts: UserFacts,
  { read, precondition }: Conditional & { readonly read: () => Partial<UserFields> },
  now: Instant,
): UserChange => {
  const user = existing(facts, { precondition })
  const next = { ...user, ...read() }
  return JSON.stringify(next) === JSON.stringify(user) ? { kind: 'none', user } : changed(facts, next, now)
}

/**
 * Gives the user some roles and takes others; one that is both stays.
 * @throws as `decideSuspension`
 */
export const decideRoles = (
  facts: UserFacts,
  { reason, precondition, add = [], remove = [] }: Reasoned & RoleChange,
  now: Instant,
): UserChange => {
  const user = existing(facts, { reason, precondition })
  const roles = [...new Set([...user.roles.filter((role) => !remove.includes(role)), ...add])].sort()
  return roles.join(' ') === user.roles.join(' ') ? { kind: 'none', user } : changed(facts, { ...user, roles }, now)
}

export interface RoleChange {
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

/**
 * Takes access from the user.
 * @throws as `decidePatch`
 * @throws {InvalidInput} the reason identifies the user
 */
export const decideSuspension = (facts: UserFacts, command: Reasoned, now: Instant): UserChange => {
  const user = existing(facts, command)
  if (user.suspendedAt !== undefined) return { kind: 'none', user }
  return changed(facts, { ...user, suspendedAt: now, tokensNotBefore: refusedUpTo(now, user) }, now, 'user.suspended')
}

/** Gives it back; tokens that were issued up to now stay refused. */
export const decideResumption = (facts: UserFacts, command: Reasoned, now: Instant): UserChange => {
  const user = existing(facts, command)
  const { suspendedAt, ...resumed } = user
  if (suspendedAt === undefined) return { kind: 'none', user }
  const tokensNotBefore = Math.max(now, user.tokensNotBefore ?? 0)
  return changed(facts, { ...resumed, tokensNotBefore }, now, 'user.resumed')
}

/**
 * Deletes the user.
 * @throws as `decideSuspension`
 */
export const decideDeletion = (facts: UserFacts, command: Reasoned): UserChange => {
  const user = existing(facts, command)
  return leavesAdministrator(facts, user, undefined) ? { kind: 'delete', user } : { kind: 'unsure' }
}

const existing = ({ user, isDeleted }: UserFacts, { reason, precondition }: Reasoned): User => {
  if (user === undefined) throw isDeleted ? new UserDeleted() : new UserNotFound()
  requireCondition(precondition, user)
  parseDeletionReason(reason, user)
  return user
}

const changed = (facts: UserFacts, next: User, now: Instant, event: EventType = 'user.updated'): UserChange =>
  leavesAdministrator(facts, facts.user, next)
    ? { kind: 'store', event, user: { ...next, updatedAt: now } }
    : { kind: 'unsure' }

/**
 * Whether an administrator is left. Only stored users count that are not suspended: an administrator known by its token
 * alone may be gone tomorrow. False if it was not looked at how many there are.
 * @throws {LastAdministrator} none would be left
 */
const leavesAdministrator = ({ administrators }: UserFacts, user: User | undefined, next: User | undefined) => {
  if (user === undefined || !isAdministrator(user) || (next !== undefined && isAdministrator(next))) return true
  if (administrators === undefined) return false
  if (administrators <= 1) throw new LastAdministrator()
  return true
}
