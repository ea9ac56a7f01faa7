import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { parseRequiredReason } from '../audit/reason.ts'
import { AddressSuppressed, SubscriptionEnded } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Digests } from '../ports/digests.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { addressHash } from './address-hash.ts'
import { type OnBehalfResult, onBehalf } from './on-behalf.ts'
import { ownerOf } from './owner.ts'
import { commandedLive, type SubscriptionCommand } from './subscription-command.ts'
import type { SubscriptionConfirmation } from './subscription-confirmation.ts'

/** Confirms for an owner who said so elsewhere, such as on paper. */
export class ConfirmOnBehalfUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock
  readonly #digests: Digests
  readonly #confirmation: SubscriptionConfirmation
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
    digests: Digests
    confirmation: SubscriptionConfirmation
    metrics: FunnelMetrics
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
    this.#digests = ports.digests
    this.#confirmation = ports.confirmation
    this.#metrics = ports.metrics
  }

  /**
   * pending -> confirmed; one that is confirmed stays as it is.
   * @throws {InsufficientPermissions} the caller may not, whether or not there is one
   * @throws {SubscriptionNotFound} also one whose time to be confirmed is over, or whose feed is being deleted
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is missing, too long, or says whose it is
   * @throws {SubscriptionEnded} only its owner can return
   * @throws {AddressSuppressed} its owner refused, or said 'never again'
   */
  async execute(command: SubscriptionCommand, caller: Caller): Promise<OnBehalfResult> {
    const attempt = { action: 'subscription.confirm', target: command.subscriptionId } as const
    this.#access.require(caller, 'subscriptions:write', attempt)
    try {
      const result = await this.#unitOfWork.run(async (stores) => {
        const current = await commandedLive(command, stores, this.#clock)
        const reason = parseRequiredReason(command.reason, ownerOf(current))
        if (current.status === 'ended') throw new SubscriptionEnded()
        if (current.status === 'confirmed') return { subscription: current, already: true }
        if (await stores.suppressions.find(addressHash(this.#digests, current.addressKey)))
          throw new AddressSuppressed()
        const subscription = await this.#confirmation.confirm(stores, current, onBehalf(caller))
        await this.#trail.done(stores.audit, caller, attempt, reason)
        return { subscription, already: false }
      })
      if (!result.already) this.#metrics.reached('confirmed')
      return result
    } catch (error) {
      if (error instanceof SubscriptionEnded || error instanceof AddressSuppressed)
        this.#access.refused(caller, attempt, error)
      throw error
    }
  }
}
