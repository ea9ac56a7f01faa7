import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Clock } from '../ports/clock.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { webhookNamed } from './get-webhook-use-case.ts'
import type { Webhook } from './webhook.ts'
import { ROTATION, type WebhookSecrets } from './webhook-secrets.ts'

export interface RotateWebhookSecretCommand {
  readonly name: string
  /** Whether the old secret signs nothing any more, at once; else it does for another day. */
  readonly revoke?: boolean | undefined
}

export interface SecretRotation {
  readonly webhook: Webhook
  /** Told this once. */
  readonly secret: string
}

export class RotateWebhookSecretUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock
  readonly #secrets: WebhookSecrets

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
    webhookSecrets: WebhookSecrets
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
    this.#secrets = ports.webhookSecrets
  }

  /** @throws {WebhookNotFound} */
  async execute({ name, revoke = false }: RotateWebhookSecretCommand, caller: Caller): Promise<SecretRotation> {
    const attempt = { action: 'webhook.rotate', target: name } as const
    this.#access.require(caller, 'webhooks:write', attempt)
    const secret = this.#secrets.seed()
    return await this.#unitOfWork.run(async ({ webhooks, audit }) => {
      const old = await webhookNamed(webhooks, name)
      const now = this.#clock.now()
      const previousSecret = revoke ? undefined : { seed: old.secret, until: now + ROTATION }
      const webhook: Webhook = { ...old, secret, previousSecret, updatedAt: now }
      await webhooks.put(webhook)
      await this.#trail.done(audit, caller, attempt)
      return { webhook, secret: this.#secrets.reveal(webhook.name, secret) }
    })
  }
}
