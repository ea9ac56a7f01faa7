import type { Caller } from '../access/caller.ts'
import { WebhookNotFound } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { asWebhookName, type Webhook, type WebhookReader } from './webhook.ts'

export class GetWebhookUseCase extends UseCase<'access', 'webhooks'> {
  static readonly permission = 'webhooks:read'
  static readonly action = 'webhook.read'

  /** @throws {WebhookNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<Webhook> {
    await this.ports.access.require(caller, GetWebhookUseCase, name)
    return await webhookNamed(this.ports.readers.webhooks, name)
  }
}

export class ListWebhooksUseCase extends UseCase<'access', 'webhooks'> {
  static readonly permission = 'webhooks:read'
  static readonly action = 'webhook.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<Webhook>> {
    await this.ports.access.require(caller, ListWebhooksUseCase)
    return await this.ports.readers.webhooks.list(stretchOf(request))
  }
}

/** @throws {WebhookNotFound} */
export const webhookNamed = async (webhooks: Pick<WebhookReader, 'find'>, text: string): Promise<Webhook> => {
  const name = asWebhookName(text)
  const webhook = name && (await webhooks.find(name))
  if (!webhook) throw new WebhookNotFound()
  return webhook
}
