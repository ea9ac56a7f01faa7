import { SYSTEM } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { HOUR } from '../instant.ts'
import { isGivenUp, nextAttemptAt } from '../outbox/backoff.ts'
import { describeFailure } from '../outbox/delivery-failure.ts'
import type { Clock } from '../platform/clock.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import type { DueDelivery } from './due-deliveries.ts'
import type { Webhook } from './webhook.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'
import { afterFailure, isGivenUpOn, recovered } from './webhook-progress.ts'
import { WebhookGone, WebhookRefused } from './webhook-transport.ts'

export interface WebhookDeliveryFailure {
  readonly delivery: WebhookDelivery
  readonly error: unknown
  /** Given up; needs manual action. */
  readonly parked: boolean
  /** Why nothing more is sent to the target, if that was decided now. */
  readonly disabled: 'failing' | 'gone' | undefined
}

/** No target has any of its events wait longer than this, whatever it asks for. */
const LONGEST_WAIT = 1 * HOUR

/** Stores the outcome of a delivery, inside one unit of work. */
export class DeliveryOutcome {
  readonly #clock: Clock
  readonly #randomness: Randomness
  readonly #trail: AuditTrail

  constructor(ports: { clock: Clock; randomness: Randomness; trail: AuditTrail }) {
    this.#clock = ports.clock
    this.#randomness = ports.randomness
    this.#trail = ports.trail
  }

  async succeeded({ webhookDeliveries }: Stores, { delivery, owner, failing }: DueDelivery): Promise<void> {
    const progress = failing ? await webhookDeliveries.progress(delivery.webhook) : undefined
    if (progress) await webhookDeliveries.putProgress(delivery.webhook, recovered(progress))
    await webhookDeliveries.settle(delivery.id, owner)
  }

  async failed(stores: Stores, { delivery, owner }: DueDelivery, error: unknown): Promise<WebhookDeliveryFailure> {
    const { webhooks, webhookDeliveries } = stores
    const now = this.#clock.now()
    const webhook = await webhooks.find(delivery.webhook)
    const progress = await webhookDeliveries.progress(delivery.webhook)
    if (!webhook || !progress) return { delivery, error, parked: false, disabled: undefined }
    const failed = afterFailure(progress, now, this.#randomness.fraction())
    await webhookDeliveries.putProgress(webhook.name, failed)
    const disabled = error instanceof WebhookGone ? 'gone' : isGivenUpOn(failed, now) ? 'failing' : undefined
    // Events not sent because the target is gone wait with the others.
    const parked = disabled !== 'gone' && isGivenUp(delivery, now)
    const message = describeFailure(error)
    if (parked) await webhookDeliveries.park(delivery.id, owner, message)
    else {
      const asked = error instanceof WebhookRefused ? Math.min(error.retryAfter ?? 0, LONGEST_WAIT) : 0
      const notBefore = Math.max(nextAttemptAt(delivery.attempts, now, this.#randomness.fraction()), now + asked)
      await webhookDeliveries.postpone(delivery.id, owner, { notBefore, attempted: true, error: message })
    }
    const disabling = webhook.disabled === undefined ? disabled : undefined
    if (disabling) await this.#disable(stores, webhook, disabling)
    return { delivery, error, parked, disabled: disabling }
  }

  async #disable({ webhooks, audit }: Stores, webhook: Webhook, because: 'failing' | 'gone'): Promise<void> {
    const now = this.#clock.now()
    await webhooks.put({ ...webhook, disabled: { because, since: now }, updatedAt: now })
    await this.#trail.done(audit, SYSTEM, { action: 'webhook.disable', target: webhook.name }, because)
  }
}
