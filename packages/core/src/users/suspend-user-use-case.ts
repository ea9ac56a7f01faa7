import type { Guarded } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { LastAdministrator, PreconditionFailed, SuspensionNotKept, UserDeleted, UserNotFound } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Precondition } from '../precondition.ts'
import type { Stores } from '../unit-of-work.ts'
import { type Needs, UseCase } from '../use-case.ts'
import { storeUser } from './put-user-use-case.ts'
import { asUserId, parseDeletionReason, type User } from './user.ts'

export interface SuspendUserCommand {
  readonly userId: string
  /** Why, for the trail; must not contain the user's name or address. */
  readonly reason?: string | undefined
  readonly precondition?: Precondition<User> | undefined
}

type Port = 'access' | 'unitOfWork' | 'trail' | 'clock'

/** Takes access from a user, and keeps everything else. */
export class SuspendUserUseCase extends UseCase<Port> {
  static readonly permission = 'users:suspend'
  static readonly action = 'user.suspend'

  /**
   * From its end on, all tokens of the user are refused on every instance. One that is suspended already stays as it is.
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} it is deleted
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is too long, or identifies the user
   * @throws {LastAdministrator} no stored administrator would be left
   * @throws {SuspensionNotKept} the host that keeps the users does not keep suspensions
   */
  async execute(command: SuspendUserCommand, caller: Caller): Promise<User> {
    return await change(this.ports, SuspendUserUseCase, command, caller, {
      event: 'user.suspended',
      changed: (user, now) => (user.suspendedAt === undefined ? { ...user, suspendedAt: now } : undefined),
    })
  }
}

/** Gives access back to a suspended user. */
export class ResumeUserUseCase extends UseCase<Port> {
  static readonly permission = SuspendUserUseCase.permission
  static readonly action = 'user.resume'

  /**
   * Tokens that were issued up to now stay refused. One that is not suspended stays as it is.
   * @throws as suspending one, but for the last administrator
   */
  async execute(command: SuspendUserCommand, caller: Caller): Promise<User> {
    return await change(this.ports, ResumeUserUseCase, command, caller, {
      event: 'user.resumed',
      changed: ({ suspendedAt, ...user }, now) =>
        suspendedAt === undefined ? undefined : { ...user, tokensNotBefore: Math.max(now, user.tokensNotBefore ?? 0) },
    })
  }
}

interface Change {
  readonly event: 'user.suspended' | 'user.resumed'
  /** The user as it becomes; undefined where it is so already. */
  readonly changed: (user: User, now: Instant) => User | undefined
}

const change = async (
  ports: Needs<Port>,
  guarded: Guarded,
  command: SuspendUserCommand,
  caller: Caller,
  { event, changed }: Change,
): Promise<User> => {
  const { access, clock, trail, unitOfWork } = ports
  const attempt = access.require(caller, guarded, command.userId)
  try {
    return await unitOfWork.run(async (stores) => {
      const current = await find(stores, command)
      const now = clock.now()
      const next = changed(current, now)
      if (next === undefined) return current
      const user = { ...next, updatedAt: now }
      await storeUser(stores, user, current, event)
      await requireKept(stores, user)
      await trail.done(stores.audit, caller, attempt, command.reason, user)
      return user
    })
  } catch (error) {
    if (error instanceof LastAdministrator) access.refused(caller, attempt, error)
    throw error
  }
}

const find = async ({ users, tombstones }: Stores, { userId, reason, precondition }: SuspendUserCommand) => {
  const id = asUserId(userId)
  const user = id && (await users.find(id))
  if (!user) throw id && (await tombstones.has(id)) ? new UserDeleted() : new UserNotFound()
  if (precondition?.(user) === false) throw new PreconditionFailed()
  parseDeletionReason(reason, user)
  return user
}

/** A host that does not know of it stores the user without it, and nothing would be suspended. */
const requireKept = async ({ users }: Stores, { id, suspendedAt }: User): Promise<void> => {
  if (users.keptByHost && (await users.find(id))?.suspendedAt !== suspendedAt) throw new SuspensionNotKept()
}
