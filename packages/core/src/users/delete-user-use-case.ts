import type { Caller } from '../access/caller.ts'
import { PreconditionFailed } from '../errors.ts'
import type { Instant } from '../instant.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import type { Precondition } from '../precondition.ts'
import type { SubscriptionErasure } from '../subscriptions/subscription-erasure.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { type ChangePort, changeUser } from './change-user.ts'
import { decideDeletion } from './decide-user-change.ts'
import { type HeldUser, NOTHING_ERASED, type Tombstone, type User } from './user.ts'

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

export interface DeletionReport {
  readonly userId: string
  readonly subscriptionsErased: number
  readonly subscriptionsKept: number
  /** Set if it can be undone: when everything is erased. */
  readonly erasesAt?: Instant | undefined
}

export class DeleteUserUseCase extends UseCase<ChangePort | 'clock' | 'erasure' | 'deleteGrace' | 'transport'> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.delete'

  /**
   * Deletes the user permanently: when it resolves, every row of the account is gone and its tokens are refused; with
   * `subscriptions: 'erase'` so are the subscriptions of its address, with their mails. With a grace the tokens are refused
   * and the user is hidden, and everything is erased when the grace period is over.
   * @throws {InsufficientPermissions} the caller may not, whether or not the user exists
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} it is gone already
   * @throws {PreconditionFailed} the caller's condition does not hold, or there are more subscriptions or fewer
   * @throws {InvalidInput} the reason is too long, or identifies the user
   * @throws {LastAdministrator} it is the last stored administrator
   */
  async execute(command: DeleteUserCommand, caller: Caller): Promise<DeletionReport> {
    const { userId, reason, subscriptions = 'keep', subscriptionsExpected: expected } = command
    let deletion: Deletion | undefined
    const { subscriptionsKept } = await changeUser(this.ports, DeleteUserUseCase, caller, userId, () => ({
      reason,
      decide: (facts) => decideDeletion(facts, command),
      inUnit: this.ports.deleteGrace > 0 || subscriptions === 'erase' || expected !== undefined,
      remove: async (stores, user, record) => {
        if (expected !== undefined) await this.#requireExpected(stores, user, expected)
        deletion = await (this.ports.deleteGrace > 0 ? this.#hold : this.#erase).call(this, stores, user, subscriptions)
        const { at } = record
        await stores.tombstones.put(user.id, {
          ...deletion.tombstone,
          audit: await stores.audit.append(record),
          deletedAt: at,
        })
        await stores.events.append({ type: 'user.deleted', subject: user.id, at })
        return { user, subscriptionsKept: deletion.tombstone.subscriptionsKept }
      },
    }))
    if (deletion) await forgetMails(this.ports.transport, deletion.mails)
    const { erased, erasesAt } = deletion?.tombstone ?? {}
    return { userId, subscriptionsErased: erased?.subscriptions ?? 0, subscriptionsKept, erasesAt }
  }

  async #requireExpected(stores: Stores, user: User, expected: number): Promise<void> {
    if ((await this.ports.erasure.countOfAddress(stores, user.emailKey)) !== expected) throw new PreconditionFailed()
  }

  async #erase(stores: Stores, user: User, subscriptions: HeldUser['subscriptions']): Promise<Deletion> {
    const tokens = await eraseAccount(stores, user)
    return await eraseSubscriptionsOf({ user, tokens }, subscriptions, stores, this.ports.erasure)
  }

  async #hold(stores: Stores, user: User, subscriptions: HeldUser['subscriptions']): Promise<Deletion> {
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
