import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { WebhookNotFound } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { WebhookReader } from '../ports/webhook-store.ts'
import { asWebhookName, type Webhook } from './webhook.ts'

export class GetWebhookUseCase {
  readonly #access: AccessControl
  readonly #webhooks: WebhookReader

  constructor(access: AccessControl, webhooks: WebhookReader) {
    this.#access = access
    this.#webhooks = webhooks
  }

  /** @throws {WebhookNotFound} */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<Webhook> {
    this.#access.require(caller, 'webhooks:read', { action: 'webhook.read', target: name })
    return await webhookNamed(this.#webhooks, name)
  }
}

export class ListWebhooksUseCase {
  readonly #access: AccessControl
  readonly #webhooks: WebhookReader

  constructor(access: AccessControl, webhooks: WebhookReader) {
    this.#access = access
    this.#webhooks = webhooks
  }

  async execute(request: PageRequest, caller: Caller): Promise<Page<Webhook>> {
    this.#access.require(caller, 'webhooks:read', { action: 'webhook.read' })
    return await this.#webhooks.list(stretchOf(request))
  }
}

/** @throws {WebhookNotFound} */
export const webhookNamed = async (webhooks: Pick<WebhookReader, 'find'>, text: string): Promise<Webhook> => {
  const name = asWebhookName(text)
  const webhook = name && (await webhooks.find(name))
  if (!webhook) throw new WebhookNotFound()
  return webhook
}
