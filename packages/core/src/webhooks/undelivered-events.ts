import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Readers } from '../storage/readers.ts'
import type { WebhookDelivery, WebhookDeliveryId } from './webhook-delivery.ts'

export interface ListUndeliveredEventsCommand extends PageRequest {
  /** Only those that wait for a person. */
  readonly parked?: boolean | undefined
}

type ListNeeds = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'webhookDeliveries'> }

/** Events queued for single targets; events that are only in the log so far are not among them. */
export class ListUndeliveredEventsUseCase {
  static readonly permission = 'outbox:read'
  static readonly action = 'outbox.read'
  readonly #ports: ListNeeds

  constructor(ports: ListNeeds) {
    this.#ports = ports
  }

  async execute({ parked, ...request }: ListUndeliveredEventsCommand, caller: Caller): Promise<Page<WebhookDelivery>> {
    this.#ports.access.require(caller, ListUndeliveredEventsUseCase)
    return await this.#ports.readers.webhookDeliveries.list({ ...stretchOf(request), parked })
  }
}

type RetryNeeds = Pick<Dependencies, 'access' | 'unitOfWork' | 'trail'>

/** Sends a waiting or parked event at once instead of later; in the order of its subject. */
export class RetryEventUseCase {
  static readonly permission = 'outbox:retry'
  static readonly action = 'outbox.retry'
  readonly #ports: RetryNeeds

  constructor(ports: RetryNeeds) {
    this.#ports = ports
  }

  /** Whether there is such an event. */
  async execute({ id }: { readonly id: WebhookDeliveryId }, caller: Caller): Promise<boolean> {
    const attempt = this.#ports.access.require(caller, RetryEventUseCase, `event ${id}`)
    return await this.#ports.unitOfWork.run(async ({ webhookDeliveries, audit }) => {
      const found = await webhookDeliveries.retry(id)
      if (found) await this.#ports.trail.done(audit, caller, attempt)
      return found
    })
  }
}
