import type { Caller } from '../access/caller.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { readGiven } from '../read-all.ts'
import { UseCase } from '../use-case.ts'
import {
  PutWebhookUseCase,
  storeWebhook,
  switched,
  type WebhookFields,
  webhookFieldReaders,
} from './put-webhook-use-case.ts'
import { tried, webhookNamed } from './read-webhooks-use-cases.ts'
import type { TriedWebhook, Webhook } from './webhook.ts'

/** What can be said of a webhook, as it came. What is not given stays as it is; null is the default, if there is one. */
export type WebhookPatch = { readonly [Name in keyof WebhookFields]: WebhookFields[Name] | null }

export interface PatchWebhookCommand extends WebhookPatch {
  readonly name: string
  readonly precondition?: Precondition<Webhook> | undefined
}

export class PatchWebhookUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'domainNames' | 'webhookTransport'
> {
  static readonly permission = PutWebhookUseCase.permission
  static readonly action = PutWebhookUseCase.action

  /**
   * Changes some fields of a webhook; if none of them is different, nothing is stored or recorded. One that is enabled
   * again, or has another URL, receives at once the events that have waited.
   * @throws {WebhookNotFound} there is no such webhook
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid, or nothing would ever be sent to such a URL
   */
  async execute(command: PatchWebhookCommand, caller: Caller): Promise<TriedWebhook> {
    const attempt = await this.ports.access.require(caller, PatchWebhookUseCase, command.name)
    return await this.ports.unitOfWork.run(async (stores) => {
      const current = await webhookNamed(stores.webhooks, command.name)
      requireCondition(command.precondition, current)
      const { name: _, precondition: __, ...given } = command
      const { enabled, ...fields } = readGiven(given, webhookFieldReaders(this.ports))
      const now = this.ports.clock.now()
      const webhook: Webhook = { ...current, ...fields, ...(enabled !== undefined && switched(current, enabled, now)) }
      if (JSON.stringify(webhook) === JSON.stringify(current)) return await tried(stores.webhookDeliveries, current)
      const changed = { ...webhook, updatedAt: now }
      await storeWebhook(stores, changed, current)
      await this.ports.trail.done(stores.audit, caller, attempt)
      return await tried(stores.webhookDeliveries, changed)
    })
  }
}
