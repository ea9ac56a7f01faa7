import type { Caller } from '../access/caller.ts'
import { LastAdministrator, PreconditionFailed, UserDeleted, UserNotFound } from '../errors.ts'
import type { Precondition } from '../precondition.ts'
import type { SubscriptionErasure } from '../subscriptions/subscription-erasure.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { isLastAdministrator } from './last-administrator.ts'
import { asUserId, parseDeletionReason, type User } from './user.ts'
import { type HeldUser, NOTHING_ERASED, type Tombstone } from './user-store.ts'

export interface DeleteUserCommand {
  readonly userId: string
  /** Why, for the trail; must not contain the user's name or address. */
  readonly reason?: string | undefined
  /** What happens to subscriptions of the same address. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
  readonly precondition?: Precondition<User> | undefined
  /** How many subscriptions of the same address the caller knows of; with any other number nothing is deleted. */
  readonly subscriptionsExpected?: number | undefined
}

/** What was erased, and what was kept. */
export interface DeletionReport {
  readonly userId: string
  readonly subscriptionsErased: number
  readonly subscriptionsKept: number
}

export class DeleteUserUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'erasure' | 'deleteGrace' | 'transport'
> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.delete'

  /**
   * Deletes the user permanently: when it resolves, every row and queued mail is gone and its tokens are refused. With a
   * grace the tokens are refused and the user is hidden, and everything is erased when the grace period is over.
   * @throws {InsufficientPermissions} the caller may not, whether or not the user exists
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} it is gone already
   * @throws {PreconditionFailed} the caller's condition does not hold, or there are more subscriptions or fewer
   * @throws {InvalidInput} the reason is too long, or identifies the user
   * @throws {LastAdministrator} it is the last stored administrator
   */
  async execute(command: DeleteUserCommand, caller: Caller): Promise<DeletionReport> {
    const attempt = this.ports.access.require(caller, DeleteUserUseCase, command.userId)
    try {
      const { tombstone, mails } = await this.ports.unitOfWork.run(async (stores) => {
        const user = await this.#find(stores, command)
        const { subscriptionsExpected: expected } = command
        if (expected !== undefined) await this.#requireExpected(stores, user, expected)
        const remove = this.ports.deleteGrace > 0 ? this.#hold : this.#erase
        const deletion = await remove.call(this, stores, user, command)
        const { id, at } = await this.ports.trail.done(stores.audit, caller, attempt, command.reason)
        await stores.tombstones.put(user.id, { ...deletion.tombstone, audit: id, deletedAt: at })
        await stores.events.append({ type: 'user.deleted', subject: user.id, at })
        return deletion
      })
      if (mails.length > 0) await this.ports.transport.forget(mails)
      const { erased, subscriptionsKept } = tombstone
      return { userId: command.userId, subscriptionsErased: erased.subscriptions, subscriptionsKept }
    } catch (error) {
      if (error instanceof LastAdministrator) this.ports.access.refused(caller, attempt, error)
      throw error
    }
  }

  async #find({ users, tombstones }: Stores, command: DeleteUserCommand): Promise<User> {
    const id = asUserId(command.userId)
    const user = id && (await users.find(id))
    if (!user) throw id && (await tombstones.has(id)) ? new UserDeleted() : new UserNotFound()
    if (command.precondition?.(user) === false) throw new PreconditionFailed()
    parseDeletionReason(command.reason, user)
    if (await isLastAdministrator(users, user)) throw new LastAdministrator()
    return user
  }

  async #requireExpected(stores: Stores, user: User, expected: number): Promise<void> {
    if ((await this.ports.erasure.countOfAddress(stores, user.emailKey)) !== expected) throw new PreconditionFailed()
  }

  async #erase(stores: Stores, user: User, { subscriptions = 'keep' }: DeleteUserCommand): Promise<Deletion> {
    const tokens = await eraseAccount(stores, user)
    return await eraseSubscriptionsOf({ user, tokens }, subscriptions, stores, this.ports.erasure)
  }

  async #hold(stores: Stores, user: User, { subscriptions = 'keep' }: DeleteUserCommand): Promise<Deletion> {
    const deletedAt = this.ports.clock.now()
    const erasesAt = deletedAt + this.ports.deleteGrace
    const tokens = await eraseAccount(stores, user)
    await stores.heldUsers.add({ user, deletedAt, erasesAt, subscriptions })
    const subscriptionsKept = await this.ports.erasure.countOfAddress(stores, user.emailKey)
    return { tombstone: { erasesAt, erased: { ...NOTHING_ERASED, tokens }, subscriptionsKept }, mails: [] }
  }
}

/**
 * Erases the user and what lets it in; how many tokens were listed. They and the sessions are refused for ever, also after
 * a restore: nothing is lost with them.
 */
const eraseAccount = async (
  { accessTokens, consoleSessions, loginLinks, users }: Stores,
  { id }: User,
): Promise<number> => {
  await users.erase(id)
  await consoleSessions.eraseOf(id)
  await loginLinks.eraseOf(id)
  return await accessTokens.eraseOf(id)
}

/** What a deletion removes at its end. */
interface Deletion {
  /** What the audit record does not say: id and time are its. */
  readonly tombstone: Omit<Tombstone, 'audit' | 'deletedAt'>
  /** Message-IDs that the mail transport must forget. */
  readonly mails: readonly string[]
}

/** Erases what is left of a user that no store of users has any more: subscriptions of its address, if requested. */
export const eraseSubscriptionsOf = async (
  { user: { emailKey, roles }, tokens }: { readonly user: User; readonly tokens: number },
  fate: HeldUser['subscriptions'],
  stores: Stores,
  erasure: SubscriptionErasure,
): Promise<Deletion> => {
  const { erased: subscriptions, kept, mails } = await erasure.ofAddress(stores, emailKey, fate)
  const erased = { users: 1, roles: roles.length, subscriptions, mails: mails.length, tokens }
  return { tombstone: { erasesAt: undefined, erased, subscriptionsKept: kept }, mails }
}
