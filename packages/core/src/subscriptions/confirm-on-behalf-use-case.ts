import type { Caller } from '../access/caller.ts'
import { parseRequiredReason } from '../audit/reason.ts'
import { AddressSuppressed, SubscriptionEnded } from '../errors.ts'
import { warnOfUndeliverable } from '../feedback/deliverability.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import { UseCase } from '../use-case.ts'
import { ownerOf } from './subscription.ts'
import {
  asShown,
  commandedLive,
  type OnBehalfResult,
  onBehalf,
  type SubscriptionCommand,
} from './subscription-command.ts'
import { confirmAndRecord } from './subscription-transitions.ts'

/** Confirms for an owner who agreed elsewhere, such as on paper. */
export class ConfirmOnBehalfUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail' | 'clock' | 'digests' | 'randomness' | 'transport'
> {
  static readonly permission = 'subscriptions:write'
  static readonly action = 'subscription.confirm'

  /**
   * pending -> confirmed; one that is confirmed stays as it is.
   * @throws {InsufficientPermissions} the caller may not, whether or not there is one
   * @throws {SubscriptionNotFound} also if it expired unconfirmed, or if its feed is being deleted
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is missing, too long, or identifies the owner
   * @throws {SubscriptionEnded} only its owner can return
   * @throws {AddressSuppressed} its owner refused, or said 'never again', or mail to it is blocked
   */
  async execute(command: SubscriptionCommand, caller: Caller): Promise<OnBehalfResult> {
    const attempt = await this.ports.access.require(caller, ConfirmOnBehalfUseCase, command.subscriptionId)
    await this.ports.requests.settled()
    try {
      return await this.ports.unitOfWork.run(async (stores) => {
        const current = await commandedLive(command, stores, this.ports)
        const reason = parseRequiredReason(command.reason, ownerOf(current))
        if (current.status === 'ended') throw new SubscriptionEnded()
        if (current.status === 'confirmed') return { subscription: await asShown(stores, current), already: true }
        const hashes = mailboxHashes(this.ports.digests, current.addressKey)
        if (await findSuppression(stores.suppressions, hashes)) throw new AddressSuppressed()
        const now = this.ports.clock.now()
        const subscription = await confirmAndRecord(stores, current, onBehalf(caller), now, this.ports)
        await warnOfUndeliverable(stores, [subscription], now)
        await this.ports.trail.done(stores.audit, caller, attempt, reason)
        return { subscription: await asShown(stores, subscription), already: false }
      })
    } catch (error) {
      if (error instanceof SubscriptionEnded || error instanceof AddressSuppressed)
        this.ports.access.refused(caller, attempt, error)
      throw error
    }
  }
}
