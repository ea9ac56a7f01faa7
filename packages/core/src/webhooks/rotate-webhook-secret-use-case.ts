import type { Caller } from '../access/caller.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { tried, webhookNamed } from './read-webhooks-use-cases.ts'
import type { TriedWebhook, Webhook } from './webhook.ts'
import { MOST_PREVIOUS, SECRET_OVERLAP } from './webhook-secrets.ts'

export interface RotateWebhookSecretCommand {
  readonly name: string
  /** Whether no old secret signs anything any more, at once; else each does for a day after its rotation. */
  readonly revoke?: boolean | undefined
  readonly precondition?: Precondition<Webhook> | undefined
}

export interface SecretRotation {
  readonly webhook: TriedWebhook
  /** Shown only here. */
  readonly secret: string
}

export class RotateWebhookSecretUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'webhookSecrets'
> {
  static readonly permission = 'webhooks:write'
  static readonly action = 'webhook.rotate'

  /** @throws {WebhookNotFound} */
  async execute(
    { name, revoke = false, precondition }: RotateWebhookSecretCommand,
    caller: Caller,
  ): Promise<SecretRotation> {
    const attempt = await this.ports.access.require(caller, RotateWebhookSecretUseCase, name)
    const secret = this.ports.webhookSecrets.seed()
    return await this.ports.unitOfWork.run(async ({ webhooks, webhookDeliveries, audit }) => {
      const old = await webhookNamed(webhooks, name)
      requireCondition(precondition, old)
      const now = this.ports.clock.now()
      const previous = [{ seed: old.secret, until: now + SECRET_OVERLAP }, ...old.previousSecrets]
      const previousSecrets = revoke ? [] : previous.filter(({ until }) => until > now).slice(0, MOST_PREVIOUS)
      const webhook: Webhook = { ...old, secret, previousSecrets, updatedAt: now }
      await webhooks.put(webhook)
      await this.ports.trail.done(audit, caller, attempt)
      return {
        webhook: await tried(webhookDeliveries, webhook),
        secret: this.ports.webhookSecrets.reveal(webhook.name, secret),
      }
    })
  }
}
