import type { Caller } from '../access/caller.ts'
import { parseReason } from '../audit/reason.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import { UseCase } from '../use-case.ts'
import { ownerOf } from './subscription.ts'
import { commanded, type SubscriptionCommand } from './subscription-command.ts'

/** Erases a subscription with everything that hangs on it. A suppression of its address stays. */
export class EraseSubscriptionUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail' | 'erasure' | 'transport'
> {
  static readonly permission = 'subscriptions:write'
  static readonly action = 'subscription.erase'

  /**
   * @throws {InsufficientPermissions} the caller may not, whether or not there is one
   * @throws {SubscriptionNotFound}
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is too long, or identifies the owner
   */
  async execute(command: SubscriptionCommand, caller: Caller): Promise<void> {
    const attempt = await this.ports.access.require(caller, EraseSubscriptionUseCase, command.subscriptionId)
    await this.ports.requests.settled()
    const mails = await this.ports.unitOfWork.run(async (stores) => {
      const subscription = await commanded(command, stores, this.ports)
      const reason = parseReason(command.reason, ownerOf(subscription))
      const forgotten = await this.ports.erasure.ofOne(stores, subscription)
      await this.ports.trail.done(stores.audit, caller, attempt, reason)
      return forgotten
    })
    await forgetMails(this.ports.transport, mails)
  }
}
