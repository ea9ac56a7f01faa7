import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { parseReason } from '../audit/reason.ts'
import type { FunnelMetrics } from '../ports/funnel-metrics.ts'
import type { MailTransport } from '../ports/mail-transport.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { ownerOf } from './owner.ts'
import { commanded, type SubscriptionCommand } from './subscription-command.ts'
import type { SubscriptionErasure } from './subscription-erasure.ts'

/** Erases a subscription with everything that hangs on it. A suppression of its address stays. */
export class EraseSubscriptionUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #erasure: SubscriptionErasure
  readonly #transport: Pick<MailTransport, 'forget'>
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    erasure: SubscriptionErasure
    transport: Pick<MailTransport, 'forget'>
    metrics: FunnelMetrics
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#erasure = ports.erasure
    this.#transport = ports.transport
    this.#metrics = ports.metrics
  }

  /**
   * @throws {InsufficientPermissions} the caller may not, whether or not there is one
   * @throws {SubscriptionNotFound}
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is too long, or says whose it was
   */
  async execute(command: SubscriptionCommand, caller: Caller): Promise<void> {
    const attempt = { action: 'subscription.erase', target: command.subscriptionId } as const
    this.#access.require(caller, 'subscriptions:write', attempt)
    const mails = await this.#unitOfWork.run(async (stores) => {
      const subscription = await commanded(command, stores.subscriptions)
      const reason = parseReason(command.reason, ownerOf(subscription))
      const forgotten = await this.#erasure.of(stores, subscription)
      await this.#trail.done(stores.audit, caller, attempt, reason)
      return forgotten
    })
    this.#metrics.reached('erased')
    await this.#transport.forget(mails)
  }
}
