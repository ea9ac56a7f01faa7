import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { parseRequiredReason } from '../audit/reason.ts'
import type { Clock } from '../ports/clock.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { type OnBehalfResult, onBehalf } from './on-behalf.ts'
import { ownerOf } from './owner.ts'
import { commandedLive, type SubscriptionCommand } from './subscription-command.ts'
import type { SubscriptionEnding } from './subscription-ending.ts'

/** Ends a subscription for an owner who asked for it elsewhere, such as in a letter. */
export class EndOnBehalfUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock
  readonly #ending: SubscriptionEnding
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
    ending: SubscriptionEnding
    metrics: FunnelMetrics
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
    this.#ending = ports.ending
    this.#metrics = ports.metrics
  }

  /**
   * pending or confirmed -> ended; one that has ended stays as it is.
   * @throws {InsufficientPermissions} the caller may not, whether or not there is one
   * @throws {SubscriptionNotFound} also one whose time to be confirmed is over, or whose feed is being deleted
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is missing, too long, or says whose it is
   */
  async execute(command: SubscriptionCommand, caller: Caller): Promise<OnBehalfResult> {
    const attempt = { action: 'subscription.end', target: command.subscriptionId } as const
    this.#access.require(caller, 'subscriptions:write', attempt)
    const result = await this.#unitOfWork.run(async (stores) => {
      const current = await commandedLive(command, stores, this.#clock)
      const reason = parseRequiredReason(command.reason, ownerOf(current))
      if (current.status === 'ended') return { subscription: current, already: true }
      const subscription = await this.#ending.end(stores, current, 'ended', onBehalf(caller))
      await this.#trail.done(stores.audit, caller, attempt, reason)
      return { subscription, already: false }
    })
    if (!result.already) this.#metrics.reached('ended')
    return result
  }
}
