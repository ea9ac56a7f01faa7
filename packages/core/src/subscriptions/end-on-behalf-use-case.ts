import type { Caller } from '../access/caller.ts'
import { parseRequiredReason } from '../audit/reason.ts'
import { UseCase } from '../use-case.ts'
import { ownerOf } from './subscription.ts'
import {
  asShown,
  commandedLive,
  type OnBehalfResult,
  onBehalf,
  type SubscriptionCommand,
} from './subscription-command.ts'
import { endAndRecord } from './subscription-transitions.ts'

/** Ends a subscription for an owner who asked for it elsewhere, such as in a letter. */
export class EndOnBehalfUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail' | 'clock' | 'randomness'
> {
  static readonly permission = 'subscriptions:write'
  static readonly action = 'subscription.end'

  /**
   * pending or confirmed -> ended; one that has ended stays as it is.
   * @throws {InsufficientPermissions} the caller may not, whether or not there is one
   * @throws {SubscriptionNotFound} also if it expired unconfirmed, or if its feed is being deleted
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is missing, too long, or identifies the owner
   */
  async execute(command: SubscriptionCommand, caller: Caller): Promise<OnBehalfResult> {
    const attempt = await this.ports.access.require(caller, EndOnBehalfUseCase, command.subscriptionId)
    await this.ports.requests.settled()
    return await this.ports.unitOfWork.run(async (stores) => {
      const current = await commandedLive(command, stores, this.ports)
      const reason = parseRequiredReason(command.reason, ownerOf(current))
      if (current.status === 'ended') return { subscription: await asShown(stores, current), already: true }
      const subscription = await endAndRecord(stores, current, 'ended', onBehalf(caller), this.ports)
      await this.ports.trail.done(stores.audit, caller, attempt, reason)
      return { subscription: await asShown(stores, subscription), already: false }
    })
  }
}
