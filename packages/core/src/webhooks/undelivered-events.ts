import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { parseWebhookName } from './webhook.ts'
import type { WebhookDelivery, WebhookDeliveryId } from './webhook-delivery-store.ts'

export interface ListUndeliveredEventsCommand extends PageRequest {
  /** Only those that wait for a person. */
  readonly parked?: boolean | undefined
  /** Only those to this target. */
  readonly webhook?: string | undefined
}

/** Events queued for single targets; events that are only in the log so far are not among them. */
export class ListUndeliveredEventsUseCase extends UseCase<'access', 'webhookDeliveries'> {
  static readonly permission = 'outbox:read'
  static readonly action = 'outbox.read'

  /** @throws {InvalidInput} there can be no webhook of this name */
  async execute(command: ListUndeliveredEventsCommand, caller: Caller): Promise<Page<WebhookDelivery>> {
    const { parked, webhook: name, ...request } = command
    await this.ports.access.require(caller, ListUndeliveredEventsUseCase)
    const webhook = name === undefined ? undefined : parseWebhookName(name)
    return await this.ports.readers.webhookDeliveries.list({ ...stretchOf(request), parked, webhook })
  }
}

/** Sends a waiting or parked event at once instead of later; in the order of its subject. */
export class RetryEventUseCase extends UseCase<'access' | 'unitOfWork' | 'trail'> {
  static readonly permission = 'outbox:retry'
  static readonly action = 'outbox.retry'

  /** Whether there is such an event. */
  async execute({ id }: { readonly id: WebhookDeliveryId }, caller: Caller): Promise<boolean> {
    const attempt = await this.ports.access.require(caller, RetryEventUseCase, `event ${id}`)
    return await this.ports.unitOfWork.run(async ({ webhookDeliveries, audit }) => {
      const found = await webhookDeliveries.retry(id)
      if (found) await this.ports.trail.done(audit, caller, attempt)
      return found
    })
  }
}
