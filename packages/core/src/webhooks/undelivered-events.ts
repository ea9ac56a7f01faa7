import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { WebhookDeliveryReader } from '../ports/webhook-delivery-store.ts'
import type { WebhookDelivery, WebhookDeliveryId } from './webhook-delivery.ts'

export interface ListUndeliveredEventsCommand extends PageRequest {
  /** Only those that wait for a person. */
  readonly parked?: boolean | undefined
}

/** Events that are owed to targets one by one; what is still to come of the log is not among them. */
export class ListUndeliveredEventsUseCase {
  readonly #access: AccessControl
  readonly #deliveries: WebhookDeliveryReader

  constructor(access: AccessControl, deliveries: WebhookDeliveryReader) {
    this.#access = access
    this.#deliveries = deliveries
  }

  async execute({ parked, ...request }: ListUndeliveredEventsCommand, caller: Caller): Promise<Page<WebhookDelivery>> {
    this.#access.require(caller, 'outbox:read', { action: 'outbox.read' })
    return await this.#deliveries.list({ ...stretchOf(request), parked })
  }
}

/** Sends a waiting or parked event at once instead of later; in the order of its subject. */
export class RetryEventUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail

  constructor(ports: { access: AccessControl; unitOfWork: UnitOfWork; trail: AuditTrail }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
  }

  /** Whether there is such an event. */
  async execute({ id }: { readonly id: WebhookDeliveryId }, caller: Caller): Promise<boolean> {
    const attempt = { action: 'outbox.retry', target: `event ${id}` } as const
    this.#access.require(caller, 'outbox:retry', attempt)
    return await this.#unitOfWork.run(async ({ webhookDeliveries, audit }) => {
      const found = await webhookDeliveries.retry(id)
      if (found) await this.#trail.done(audit, caller, attempt)
      return found
    })
  }
}
