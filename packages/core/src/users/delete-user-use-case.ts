import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { LastAdministrator, PreconditionFailed, UserDeleted, UserNotFound } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { MailTransport } from '../ports/mail-transport.ts'
import type { Stores, UnitOfWork } from '../ports/unit-of-work.ts'
import type { SubscriptionErasure } from '../subscriptions/subscription-erasure.ts'
import { parseDeletionReason } from './deletion-reason.ts'
import { guardLastAdministrator } from './last-administrator.ts'
import type { Precondition, User } from './user.ts'
import { asUserId } from './user-id.ts'

export interface DeleteUserCommand {
  readonly userId: string
  /** Why, for the trail; must not contain the user's name or address. */
  readonly reason?: string | undefined
  /** What becomes of subscriptions of the same address. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
  readonly precondition?: Precondition<User> | undefined
}

/** What went, and what stayed. */
export interface DeletionReport {
  readonly userId: string
  readonly subscriptionsErased: number
  readonly subscriptionsKept: number
}

export class DeleteUserUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock
  readonly #erasure: SubscriptionErasure
  readonly #transport: Pick<MailTransport, 'forget'>

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
    erasure: SubscriptionErasure
    transport: Pick<MailTransport, 'forget'>
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
    this.#erasure = ports.erasure
    this.#transport = ports.transport
  }

  /**
   * Deletes the user for good: with the answer every row and queued mail is gone and its tokens are refused.
   * @throws {InsufficientPermissions} the caller may not, whoever the user is and whether or not it exists
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} it is gone already
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is too long, or says who it was
   * @throws {LastAdministrator} it is the last stored administrator
   */
  async execute(command: DeleteUserCommand, caller: Caller): Promise<DeletionReport> {
    const attempt = { action: 'user.delete', target: command.userId } as const
    this.#access.require(caller, 'users:delete', attempt)
    try {
      const { report, mails } = await this.#unitOfWork.run(async (stores) => {
        const deletion = await this.#delete(stores, command)
        await this.#trail.done(stores.audit, caller, attempt, command.reason)
        return deletion
      })
      await this.#transport.forget(mails)
      return report
    } catch (error) {
      if (error instanceof LastAdministrator) this.#access.refused(caller, attempt, error)
      throw error
    }
  }

  async #delete(stores: Stores, command: DeleteUserCommand): Promise<{ report: DeletionReport; mails: string[] }> {
    const { users, tombstones, events } = stores
    const now = this.#clock.now()
    const id = asUserId(command.userId)
    const user = id && (await users.find(id))
    if (!user) throw id && (await tombstones.has(id)) ? new UserDeleted() : new UserNotFound()
    if (command.precondition?.(user) === false) throw new PreconditionFailed()
    parseDeletionReason(command.reason, user)
    await guardLastAdministrator(users, user)
    await users.erase(user.id)
    await tombstones.add(user.id, now)
    await events.append({ type: 'user.deleted', subject: user.id, at: now })
    const subscriptions = await this.#erasure.ofAddress(stores, user.emailKey, command.subscriptions ?? 'keep')
    const report = { userId: user.id, subscriptionsErased: subscriptions.erased, subscriptionsKept: subscriptions.kept }
    return { report, mails: subscriptions.mails }
  }
}
