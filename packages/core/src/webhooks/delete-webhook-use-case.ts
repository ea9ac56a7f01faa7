import type { Caller } from '../access/caller.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { webhookNamed } from './read-webhooks-use-cases.ts'
import type { Webhook } from './webhook.ts'

export interface DeleteWebhookCommand {
  readonly name: string
  readonly precondition?: Precondition<Webhook> | undefined
}

/** Nothing is sent to it any more; its pending events are dropped. A request already under way completes. */
export class DeleteWebhookUseCase extends UseCase<'access' | 'unitOfWork' | 'trail'> {
  static readonly permission = 'webhooks:write'
  static readonly action = 'webhook.delete'

  /**
   * @throws {WebhookNotFound}
   * @throws {PreconditionFailed} the caller's condition does not hold
   */
  async execute({ name, precondition }: DeleteWebhookCommand, caller: Caller): Promise<void> {
    const attempt = await this.ports.access.require(caller, DeleteWebhookUseCase, name)
    await this.ports.unitOfWork.run(async ({ webhooks, audit }) => {
      const webhook = await webhookNamed(webhooks, name)
      requireCondition(precondition, webhook)
      await webhooks.remove(webhook.name)
      await this.ports.trail.done(audit, caller, attempt)
    })
  }
}
