import type { Caller } from '../access/caller.ts'
import { WebhookNotFound } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { asWebhookName, type TriedWebhook, type Webhook, type WebhookReader } from './webhook.ts'
import type { WebhookDeliveryReader } from './webhook-delivery-store.ts'

export class GetWebhookUseCase extends UseCase<'access', 'webhooks' | 'webhookDeliveries'> {
  static readonly permission = 'webhooks:read'
  static readonly action = 'webhook.read'

  /** @throws {WebhookNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<TriedWebhook> {
    await this.ports.access.require(caller, GetWebhookUseCase, name)
    const { webhooks, webhookDeliveries } = this.ports.readers
    return await tried(webhookDeliveries, await webhookNamed(webhooks, name))
  }
}

export class ListWebhooksUseCase extends UseCase<'access', 'webhooks' | 'webhookDeliveries'> {
  static readonly permission = 'webhooks:read'
  static readonly action = 'webhook.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<TriedWebhook>> {
    await this.ports.access.require(caller, ListWebhooksUseCase)
    const { webhooks, webhookDeliveries } = this.ports.readers
    const { items, next } = await webhooks.list(stretchOf(request))
    const failing = new Map(await webhookDeliveries.failing())
    return { items: items.map((webhook) => ({ ...webhook, failingSince: failing.get(webhook.name) })), next }
  }
}

/** With how it goes with it. */
export const tried = async (
  deliveries: Pick<WebhookDeliveryReader, 'failing'>,
  webhook: Webhook,
): Promise<TriedWebhook> => ({ ...webhook, failingSince: new Map(await deliveries.failing()).get(webhook.name) })

/** @throws {WebhookNotFound} */
export const webhookNamed = async (webhooks: Pick<WebhookReader, 'find'>, text: string): Promise<Webhook> => {
  const name = asWebhookName(text)
  const webhook = name && (await webhooks.find(name))
  if (!webhook) throw new WebhookNotFound()
  return webhook
}
