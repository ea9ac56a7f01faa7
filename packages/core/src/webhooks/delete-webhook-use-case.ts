import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { PreconditionFailed } from '../errors.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import type { Precondition } from '../users/user.ts'
import { webhookNamed } from './get-webhook-use-case.ts'
import type { Webhook } from './webhook.ts'

export interface DeleteWebhookCommand {
  readonly name: string
  readonly precondition?: Precondition<Webhook> | undefined
}

/** Nothing is sent to it any more; what was owed to it is forgotten. What is on its way arrives. */
export class DeleteWebhookUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail

  constructor(ports: { access: AccessControl; unitOfWork: UnitOfWork; trail: AuditTrail }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
  }

  /**
   * @throws {WebhookNotFound}
   * @throws {PreconditionFailed} the caller's condition does not hold
   */
  async execute({ name, precondition }: DeleteWebhookCommand, caller: Caller): Promise<void> {
    const attempt = { action: 'webhook.delete', target: name } as const
    this.#access.require(caller, 'webhooks:write', attempt)
    await this.#unitOfWork.run(async ({ webhooks, audit }) => {
      const webhook = await webhookNamed(webhooks, name)
      if (precondition?.(webhook) === false) throw new PreconditionFailed()
      await webhooks.remove(webhook.name)
      await this.#trail.done(audit, caller, attempt)
    })
  }
}
