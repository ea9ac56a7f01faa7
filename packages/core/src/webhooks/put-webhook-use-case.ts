import type { Caller } from '../access/caller.ts'
import { PreconditionFailed } from '../errors.ts'
import type { Precondition } from '../precondition.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { parseWebhookName, type Webhook } from './webhook.ts'
import { readWebhookFields, type WebhookFields } from './webhook-fields.ts'
import { recovered } from './webhook-progress.ts'

export interface PutWebhookCommand extends WebhookFields {
  readonly name: string
  readonly precondition?: Precondition<Webhook> | undefined
}

export interface PutWebhookResult {
  readonly webhook: Webhook
  readonly created: boolean
  /** Of a new one: shown only here. */
  readonly secret: string | undefined
}

export class PutWebhookUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'webhookSecrets' | 'domainNames' | 'webhookTransport'
> {
  static readonly permission = 'webhooks:write'
  static readonly action = 'webhook.put'

  /**
   * Creates the webhook, which receives the events from now on, or replaces the one with this name, which continues where
   * it is and keeps its secret. One that is enabled again receives at once the events that have waited.
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid, or nothing would ever be sent to such a URL
   */
  async execute(command: PutWebhookCommand, caller: Caller): Promise<PutWebhookResult> {
    const attempt = this.ports.access.require(caller, PutWebhookUseCase, command.name)
    const seed = this.ports.webhookSecrets.seed()
    return await this.ports.unitOfWork.run(async (stores) => {
      const name = parseWebhookName(command.name)
      const current = await stores.webhooks.find(name)
      if (command.precondition?.(current) === false) throw new PreconditionFailed()
      const { enabled, ...fields } = readWebhookFields(command, this.ports)
      const now = this.ports.clock.now()
      const old = current ?? { name, secret: seed, previousSecret: undefined, disabled: undefined, createdAt: now }
      const disabled = enabled ? undefined : (old.disabled ?? ({ because: 'by-hand', since: now } as const))
      const webhook: Webhook = { ...old, ...fields, disabled, updatedAt: now }
      await stores.webhooks.put(webhook)
      if (old.disabled !== undefined && enabled) await startAgain(stores, webhook)
      await this.ports.trail.done(stores.audit, caller, attempt)
      const created = current === undefined
      return { webhook, created, secret: created ? this.ports.webhookSecrets.reveal(name, seed) : undefined }
    })
  }
}

const startAgain = async ({ webhookDeliveries }: Stores, { name }: Webhook): Promise<void> => {
  const progress = await webhookDeliveries.progress(name)
  if (progress) await webhookDeliveries.putProgress(name, recovered(progress))
  await webhookDeliveries.retryAll(name, { parked: false })
}
